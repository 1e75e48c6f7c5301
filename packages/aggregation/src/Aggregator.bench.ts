import assert from 'node:assert/strict'
import { Hex } from '@firn/codec'
import { Acp118, ValidatorSet } from '@firn/warp'
import { test } from 'vitest'
import { createAggregator } from './Aggregator.ts'
import { system } from './Clock.ts'
import * as SignatureCache from './SignatureCache.ts'
import type { Transport } from './Transport.ts'
import * as Keys from './testing/Keys.ts'
import { messageOf } from './testing/Simulation.ts'

/** A network that answers in the same turn, so that only the aggregation's own work is measured. */
function createNetwork(count: number, messages: readonly Uint8Array[]) {
  const nodes = Array.from({ length: count }, (_, key) => {
    const nodeId = new Uint8Array(20)
    new DataView(nodeId.buffer).setUint32(0, key)
    return { nodeId, publicKey: Keys.publicKey(key), weight: 1_000n + BigInt(key % 7), key }
  })
  const answers = new Map(
    messages.map((message) => {
      const byKey = nodes.map(({ key }) =>
        Acp118.encodeResponse({ signature: Keys.sign(key, message).compressed }),
      )
      return [Hex.encode(message), byKey]
    }),
  )
  const transport: Transport = {
    connection: () => ({ connected: true }),
    async request(nodeId, { bytes }) {
      const byKey = answers.get(Hex.encode(Acp118.decodeRequest(bytes).message))
      const key = new DataView(nodeId.buffer, nodeId.byteOffset).getUint32(0)
      return { kind: 'response', bytes: byKey?.[key] as Uint8Array }
    },
  }
  return { transport, validatorSet: ValidatorSet.create(nodes) }
}

interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
}

async function measure(runs: number, run: (turn: number) => Promise<void>): Promise<Cost> {
  const before = process.cpuUsage()
  const start = performance.now()
  for (let turn = 0; turn < runs; turn += 1) await run(turn)
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1_000 / runs, wallMs: (performance.now() - start) / runs }
}

const print = (label: string, { cpuMs, wallMs }: Cost) =>
  console.log(`${label}: ${cpuMs.toFixed(2)} ms CPU, ${wallMs.toFixed(2)} ms`)

for (const count of [5, 100, 1_000]) {
  test(`${count} validators, all answer at once, quorum 67`, { timeout: 120_000 }, async () => {
    const runs = 5
    const messages = Array.from({ length: runs + 1 }, (_, i) => messageOf(i))
    const { transport, validatorSet } = createNetwork(count, messages)
    const cache = SignatureCache.create({ maxBytes: 64 * 1024 * 1024 })
    const aggregator = createAggregator({ transport, clock: system(), cache })
    const aggregate = async (message: Uint8Array) => {
      const result = await aggregator.aggregate({
        message,
        validatorSet,
        quorumPercentage: 67,
        deadlineMs: 10_000,
      })
      assert(result.signedWeight >= result.neededWeight)
    }
    await aggregate(messages[runs] as Uint8Array)
    print(
      `${count} validators, fresh`,
      await measure(runs, (turn) => aggregate(messages[turn] as Uint8Array)),
    )
    print(`${count} validators, cached`, await measure(20, () => aggregate(messages[0] as Uint8Array)))
    console.log(`${count} validators: ${cache.signatures} signatures cached, ${cache.bytes} bytes accounted`)
  })
}
