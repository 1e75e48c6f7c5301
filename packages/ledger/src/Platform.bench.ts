import * as LedgerState from './LedgerState.ts'
import * as Platform from './Platform.ts'
import { load } from './testing/recordings.ts'

const recordings = [load('local'), load('helicon')]
const count = recordings.reduce((sum, { blocks }) => sum + blocks.length - 1, 0)

export const benchmarks = {
  [`decode, apply and commit ${count} recorded P-chain blocks, and two genesis states`]: {
    firn: () => {
      for (const { genesis, constants, blocks } of recordings) {
        const state = LedgerState.create(genesis, constants)
        for (const block of blocks.slice(1)) LedgerState.commit(state, Platform.apply(state, block))
      }
    },
  },
}
