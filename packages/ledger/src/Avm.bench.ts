import * as Avm from './Avm.ts'
import * as transfers from './testing/transfers.ts'

const COUNT = 1000
const chain = transfers.avm(COUNT)

export const benchmarks = {
  [`decode, apply, commit and revert ${COUNT} X-chain blocks of one transfer each`]: {
    firn: () => transfers.run(chain, Avm.apply),
  },
}
