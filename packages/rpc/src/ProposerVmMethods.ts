import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

const none = Schema.struct({})

/** The proposervm API of a chain, served at `/ext/bc/{chain}/proposervm` by nodes that run it. */
export const ProposerVmMethods = {
  'proposervm.getProposedHeight': { params: none, result: Schema.struct({ height: Schema.u64 }) },
  /** `number` is 0 while epochs are not active; `startTime` is in Unix seconds. */
  'proposervm.getCurrentEpoch': {
    params: none,
    result: Schema.struct({ number: Schema.u64, startTime: Schema.u64, pChainHeight: Schema.u64 }),
  },
} satisfies MethodTable
