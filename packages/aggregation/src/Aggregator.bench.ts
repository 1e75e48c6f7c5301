import assert from 'node:assert/strict'
import { systemClock } from '@firn/runtime'
import { Acp118, ValidatorSet } from '@firn/warp'
import { type Aggregator, createAggregator } from './Aggregator.ts'
import type { Transport } from './Transport.ts'
import * as Keys from './testing/Keys.ts'
import { messageOf } from './testing/Simulation.ts'

const MESSAGE = messageOf(0)

/**
 * Returns a simulated network whose nodes respond without delay, so that the benchmark measures only the
 * aggregation.
 */
function createNetwork(count: number) {
  const nodes = Array.from({ length: count }, (_, key) => {
    const nodeId = new Uint8Array(20)
    new DataView(nodeId.buffer).setUint32(0, key)
    return { nodeId, publicKey: Keys.publicKey(key), weight: 1_000n + BigInt(key % 7) }
  })
  const answers = nodes.map((_, key) =>
    Acp118.encodeResponse({ signature: Keys.sign(key, MESSAGE).compressed }),
  )
  const transport: Transport = {
    connection: () => ({ connected: true }),
    async request(nodeId) {
      const key = new DataView(nodeId.buffer, nodeId.byteOffset).getUint32(0)
      return { kind: 'response', bytes: answers[key] as Uint8Array }
    },
  }
  return { transport, validatorSet: ValidatorSet.create(nodes) }
}

async function contenders(count: number): Promise<Record<string, () => Promise<void>>> {
  const { transport, validatorSet } = createNetwork(count)
  const create = () => createAggregator({ transport, clock: systemClock })
  const aggregate = async (aggregator: Aggregator) => {
    const result = await aggregator.aggregate({
      message: MESSAGE,
      validatorSet,
      quorumPercentage: 67,
      deadlineMs: 10_000,
    })
    assert(result.signedWeight >= result.neededWeight)
  }
  const warm = create()
  await aggregate(warm)
  return { 'all asked': () => aggregate(create()), 'all known': () => aggregate(warm) }
}

export const benchmarks = {
  'a quorum of 5 validators': await contenders(5),
  'a quorum of 100 validators': await contenders(100),
  'a quorum of 1,000 validators': await contenders(1_000),
}
