import * as LedgerState from './LedgerState.ts'
import { follow } from './testing/follower.ts'
import { load } from './testing/recordings.ts'

const recordings = [load('local'), load('helicon')]
const count = recordings.reduce((sum, { blocks }) => sum + blocks.length, 0)

export const benchmarks = {
  [`decode, apply and commit ${count} recorded blocks of the three chains, and two genesis states`]: {
    firn: () => {
      for (const recording of recordings) {
        const state = LedgerState.create(recording.genesis, recording.constants)
        follow(state, recording, recording.blocks)
      }
    },
  },
}
