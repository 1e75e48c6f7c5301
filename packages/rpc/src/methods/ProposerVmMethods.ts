import type { MethodLayouts } from '../Layout.ts'
import * as Layout from '../Layout.ts'

const none = Layout.struct({})

/**
 * Methods of the proposervm API of a chain, which is served at `/ext/bc/{chain}/proposervm` by nodes that run
 * the chain.
 */
export const ProposerVmMethods = {
  'proposervm.getProposedHeight': { params: none, result: Layout.struct({ height: Layout.u64 }) },
  /** Returns the current epoch. `number` is 0 before epochs are active; `startTime` is in Unix seconds. */
  'proposervm.getCurrentEpoch': {
    params: none,
    result: Layout.struct({ number: Layout.u64, startTime: Layout.u64, pChainHeight: Layout.u64 }),
  },
} satisfies MethodLayouts
