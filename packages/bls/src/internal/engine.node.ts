import { createRequire } from 'node:module'
import type { Engine } from '../Engine.ts'
import { noble } from '../noble.ts'
import { create } from './BlstEngine.ts'

/** blst is a native addon. Platforms without a prebuilt binary use noble. */
export const engine: Engine = load()

// Uses `require` because an import that may fail would need a top-level `await`, which makes every importing
// module asynchronous.
function load(): Engine {
  try {
    return create(createRequire(import.meta.url)('@chainsafe/blst'))
  } catch {
    return noble
  }
}
