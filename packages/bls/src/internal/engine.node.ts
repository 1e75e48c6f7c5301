import { createRequire } from 'node:module'
import type { Engine } from '../Engine.ts'
import { noble } from '../noble.ts'
import { create } from './BlstEngine.ts'

/** blst is a native addon: a platform without a prebuilt binary has none, and is served by noble. */
export const engine: Engine = load()

// By `require`, as an import that may fail would need a top-level `await`, which makes every module above asynchronous.
function load(): Engine {
  try {
    return create(createRequire(import.meta.url)('@chainsafe/blst'))
  } catch {
    return noble
  }
}
