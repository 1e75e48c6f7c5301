import type { Engine } from '../Engine.ts'
import { noble } from '../noble.ts'

/** blst is a native addon: a platform without a prebuilt binary has none, and is served by noble. */
export const engine: Engine = await import('../blst.ts').then(
  (module) => module.blst,
  () => noble,
)
