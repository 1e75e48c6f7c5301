import * as LedgerState from './LedgerState.ts'
import * as Platform from './Platform.ts'
import { follow } from './testing/follower.ts'
import { load } from './testing/recordings.ts'
import * as transfers from './testing/transfers.ts'

const recordings = [load('local'), load('helicon')]
const recorded = recordings.reduce((sum, { blocks }) => sum + blocks.length, 0)
const COUNT = 1000
const chain = transfers.platform(COUNT)

export const benchmarks = {
  [`decode, apply, commit and revert ${COUNT} P-chain blocks of one transfer each`]: {
    firn: () => transfers.run(chain, Platform.apply),
  },
  [`decode, apply and commit ${recorded} recorded blocks of the three chains, and two genesis states`]: {
    firn: () => {
      for (const recording of recordings) {
        const state = LedgerState.create(recording.genesis, recording.constants)
        follow(state, recording, recording.blocks)
      }
    },
  },
}
