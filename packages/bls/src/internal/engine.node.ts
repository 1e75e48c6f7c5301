import { createRequire } from 'node:module'
import type { Engine } from '../Engine.ts'
import { noble } from '../noble.ts'
import { create } from './BlstEngine.ts'

/** The engine for Node: blst, which is a native addon, or noble on platforms without a prebuilt binary. */
export const engine: Engine = load()

// `require` is used instead of an import. An import that may fail would need a top-level `await`, which makes
// every importing module asynchronous.
function load(): Engine {
  try {
    return create(createRequire(import.meta.url)('@chainsafe/blst'))
  } catch {
    return noble
  }
}
