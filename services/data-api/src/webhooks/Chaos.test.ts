import { Hex } from '@firn/codec'
import { BlockReader } from '@firn/evm'
import { type InventedParts, inventedChain, seeded } from '@firn/evm/testing'
import { EvmWriter } from '@firn/evm-store'
import { eachDatabase, TEST_CHAIN } from '@firn/evm-store/testing'
import { until } from '@firn/runtime/testing'
import { Webhooks } from '@firn/service-store'
import { expect, test } from 'vitest'
import { mortal } from '../testing/mortal.ts'
import * as WebhookModel from '../testing/WebhookModel.ts'
import type { Send, Sent } from './common/Sender.ts'
import * as Source from './common/Source.ts'
import { startWebhooks, type WebhookRunner } from './WebhookRunner.ts'

const IS_LONG = process.env['FIRN_RELIABILITY'] === 'long'
const OWNER = new Uint8Array(32).fill(1)
const RETRIES = { firstMs: 10, longestMs: 100, giveUpMs: 1e9, deactivateMs: 1e9, leastAttempts: 1e6 }
const FAULTS: readonly Sent[] = [
  { status: undefined, failure: 'timeout' },
  { status: undefined, failure: 'connection' },
  { status: 302, failure: 'redirect' },
  { status: 503, failure: 'http-status' },
]

interface Wanted extends WebhookModel.Filter {
  /** How often the target fails: 0 never, 1 until the end of the test. */
  readonly faults: number
}

eachDatabase(({ name, openEvm }) => {
  test(`tells each webhook of exactly the transactions of the chain, in order, with reorgs, faults and kills (${name})`, async () => {
    const random = seeded(7)
    const store = await openEvm()
    // An embedded database runs one statement at a time.
    const size = store.driver.isShared ? { webhooks: 60, rounds: 12 } : { webhooks: 20, rounds: 5 }
    const { webhooks, rounds } = IS_LONG ? { webhooks: 1_000, rounds: 100 } : size
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    let chain = inventedChain({ seed: 11, transactions: [0, 3] })
    const commit = (parts: readonly InventedParts[]) =>
      writer.commit(parts.map((one) => ({ block: BlockReader.read(one), contracts: [] })))
    await commit(chain.grow(2))
    // Addresses and signatures of the future chain, so that webhooks match something.
    const future = inventedChain({ seed: 11, transactions: [0, 3] })
    const known = future
      .grow(30)
      .flatMap((parts) => WebhookModel.activityIn(parts).flatMap((one) => [...one]))
    const wanted: Wanted[] = []
    const { sequence } = await store.snapshot()
    for (let i = 0; i < webhooks; i++) {
      const picked = Array.from({ length: 1 + (i % 3) }, () => random.pick(known))
      const one = {
        id: crypto.randomUUID(),
        addresses: [...new Set(picked.map(([address]) => address))],
        signatures: i % 4 === 0 ? [...(picked[0]?.[1] ?? [])].slice(0, 2) : [],
        faults: i % 5 === 0 ? 0.4 : i % 7 === 0 ? 1 : 0,
      }
      wanted.push(one)
      await Webhooks.create(store, {
        id: one.id,
        owner: OWNER,
        source: Source.ofEvm(TEST_CHAIN.chainId),
        event_type: 'address_activity',
        chain: '1337',
        url: `https://${i % 9}.example/`,
        host: `${i % 9}.example`,
        name: '',
        description: '',
        created_at: 0n,
        secret_encoding: 'text',
        settings: {
          eventSignatures: one.signatures,
          includeInternalTxs: true,
          includeLogs: true,
          finality: 'executed',
        },
        from_sequence: sequence,
        keys: one.addresses.map((address) => Hex.decode(address)),
      })
    }
    const told = new Map<string, WebhookModel.Told[]>(wanted.map(({ id }) => [id, []]))
    const byId = new Map(wanted.map((one) => [one.id, one]))
    let areTargetsUp = false
    const send: Send = async ({ body }, signal) => {
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
      const { webhookId, messageId, removed = false, event } = JSON.parse(new TextDecoder().decode(body))
      const isFault = !areTargetsUp && random.chance(byId.get(webhookId)?.faults ?? 0)
      if (isFault) return random.pick(FAULTS)
      const { blockHash, blockNumber, transactionIndex } = event.transaction
      told.get(webhookId)?.push({
        id: messageId,
        removed,
        blockHash,
        height: Number(blockNumber),
        index: transactionIndex,
      })
      return { status: 200, failure: undefined }
    }
    const start = () => {
      const life = mortal(store)
      const runner = startWebhooks({
        home: life.store,
        chains: [{ chain: TEST_CHAIN, store }],
        send,
        timeoutMs: 100,
        spareMs: 150,
        leaseMs: 200,
        keepMs: 1e9,
        retries: RETRIES,
      })
      return { ...life, runner }
    }
    const ends: Promise<void>[] = []
    // Only one process can have an embedded database open.
    const processes = store.driver.isShared ? 2 : 1
    const runners: { kill(): void; runner: WebhookRunner }[] = Array.from({ length: processes }, start)
    for (let round = 0; round < rounds; round++) {
      const height = BigInt(chain.blocks.length - 1)
      const depth = BigInt(random.below(3))
      if (random.chance(0.4) && height - depth > 2n && depth > 0n) {
        await writer.undo(height - depth)
        chain = chain.branch(height - depth, `fork ${round}`)
      }
      await commit(chain.grow(1 + random.below(3)))
      if (random.chance(0.4)) {
        const victim = random.below(runners.length)
        runners[victim]?.kill()
        ends.push(runners[victim]?.runner.close() ?? Promise.resolve())
        runners[victim] = start()
      }
      await new Promise((resolve) => setTimeout(resolve, random.below(40)))
    }
    areTargetsUp = true
    const untilTold = () =>
      until(() => {
        const expected = WebhookModel.expectedOf(chain.blocks.slice(2), wanted)
        for (const { id } of wanted) expect(WebhookModel.live(told.get(id) ?? [])).toEqual(expected.get(id))
      })
    await untilTold()
    const telling = [...WebhookModel.expectedOf(chain.blocks.slice(2), wanted).values()].filter(
      (one) => one.length > 0,
    )
    expect(telling.length).toBeGreaterThan(webhooks / 4)
    // Transactions that were sent are removed as well.
    const last = BigInt(chain.blocks.length - 1)
    await writer.undo(last - 3n)
    chain = chain.branch(last - 3n, 'last fork')
    await commit(chain.grow(1))
    await untilTold()
    expect([...told.values()].flat().some(({ removed }) => removed)).toBe(true)
    await Promise.all([...ends, ...runners.map(({ runner }) => runner.close())])
  })
})
