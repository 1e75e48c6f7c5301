import { readFileSync } from 'node:fs'
import { Id } from '@firn/codec'
import type { Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { serve } from '../../testing/serve.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
type Json = any
type Ask = Awaited<ReturnType<typeof serve>>

const REASON = 'C_CHAIN_NOT_FOLLOWED'
const { avm, staked } = JSON.parse(
  readFileSync(new URL('../../../vectors/balances.json', import.meta.url), 'utf8'),
) as Record<'avm' | 'staked', Record<string, unknown>>
const ADDRESSES = [...Object.keys(avm), ...Object.keys(staked)].map((one) => one.replace(/^[PX]-/, ''))
const OWNERS = [...new Set(ADDRESSES)].slice(0, 12).join(',')

describe('a database without the C-chain', () => {
  let full: Ask
  let ask: Ask
  let cChainId: string

  /** Returns both answers to a request: with the C-chain, and without it. */
  const both = async (path: string): Promise<readonly [Json, Json]> => {
    const answers = [await full(path), await ask(path)]
    expect(answers.map(({ status, json }) => [status, json.message])).toEqual([
      [200, undefined],
      [200, undefined],
    ])
    return [answers[0]?.json, answers[1]?.json] as const
  }
  const at = (chain: string, path: string) => `/v1/networks/fuji/blockchains/${chain}/${path}`
  const isOfC = ({ createdOnChainId, sharedWithChainId }: Json) =>
    createdOnChainId === cChainId || sharedWithChainId === cChainId

  /** Compares an output, except for the members that it names as unknown. */
  const expectKnown = ({ unknown, ...utxo }: Json, expected: Json) => {
    const none = Object.fromEntries((unknown?.members ?? []).map((name: string) => [name, undefined]))
    expect({ ...utxo, ...none }).toEqual({ ...expected, ...none })
  }

  beforeAll(async () => {
    const stores = [await recordedStore('local'), await recordedStore('local', false)]
    cChainId = Id.format((await stores[0]?.network())?.genesis.cChain.blockchainId ?? Id.EMPTY)
    full = await serve(stores[0] as Store)
    ask = await serve(stores[1] as Store)
  })

  test.each(['p-chain', 'x-chain'])(
    'returns all transactions of the %s, with the inputs of imports from C as far as known',
    async (chain) => {
      const [expected, actual] = await both(at(chain, 'transactions?pageSize=100'))
      let imports = 0
      expect(actual.transactions).toHaveLength(expected.transactions.length)
      for (const [i, tx] of actual.transactions.entries()) {
        const { consumedUtxos, emittedUtxos, ...rest } = expected.transactions[i]
        expect({ ...tx, consumedUtxos: 0, emittedUtxos: 0 }).toEqual({
          ...rest,
          consumedUtxos: 0,
          emittedUtxos: 0,
        })
        for (const [k, utxo] of tx.emittedUtxos.entries()) {
          expect(utxo.unknown?.reason).toBe(utxo.consumedOnChainId === cChainId ? REASON : undefined)
          expectKnown(utxo, emittedUtxos[k])
        }
        expect(tx.emittedUtxos).toHaveLength(emittedUtxos.length)
        expect(tx.consumedUtxos).toHaveLength(consumedUtxos.length)
        for (const [k, utxo] of tx.consumedUtxos.entries()) {
          expect(utxo.unknown?.reason).toBe(isOfC(utxo) ? REASON : undefined)
          expectKnown(utxo, consumedUtxos[k])
          if (!isOfC(utxo)) continue
          imports += 1
          expect(consumedUtxos[k].addresses).toEqual(expect.arrayContaining(utxo.addresses))
          expect(utxo.addresses).toHaveLength(utxo.threshold)
        }
      }
      expect(imports).toBeGreaterThan(0)
      expect(actual.incomplete).toBeUndefined()
    },
  )

  test.each(['p-chain', 'x-chain'])('finds the same transactions of addresses on the %s', async (chain) => {
    const [expected, actual] = await both(at(chain, `transactions?pageSize=100&addresses=${OWNERS}`))
    const hashes = ({ transactions }: Json) => transactions.map(({ txHash }: Json) => txHash)
    expect(hashes(actual)).toEqual(hashes(expected))
    expect([expected.incomplete, actual.incomplete.reason]).toEqual([undefined, REASON])
  })

  test.each(['p-chain', 'x-chain'])(
    'says that balances and UTXOs on the %s lack what the C-chain exported',
    async (chain) => {
      const [balances, known] = await both(at(chain, `balances?addresses=${OWNERS}`))
      const own = (all: Json) =>
        Object.fromEntries(
          Object.entries(all.balances).map(([name, sums]) => [
            name,
            (sums as Json[]).filter((one) => !isOfC(one)),
          ]),
        )
      expect(own(known)).toEqual(own(balances))
      const [utxos, some] = await both(at(chain, `utxos?pageSize=100&includeSpent=true&addresses=${OWNERS}`))
      const others = utxos.utxos.filter((one: Json) => !isOfC(one))
      expect(others.length).toBeGreaterThan(10)
      expect(some.utxos.slice(0, others.length)).toEqual(others)
      for (const { incomplete } of [known, some]) {
        expect(incomplete).toMatchObject({ reason: REASON })
        expect(incomplete.message).toContain('--upstream')
      }
      expect([balances.incomplete, utxos.incomplete]).toEqual([undefined, undefined])
    },
  )

  test.each([
    'balances?addresses=',
    'utxos?addresses=',
    'lastActivityTimestampByAddresses?addresses=',
    'transactions?addresses=',
  ])('rejects %s for the C-chain with the reason', async (path) => {
    for (const chain of ['c-chain', cChainId]) {
      const { status, json } = await ask(at(chain, `${path}${OWNERS}`))
      expect(json).toMatchObject({ statusCode: 404, error: 'Not Found', reason: REASON })
      expect(status).toBe(404)
    }
  })

  test.each(['blocks', 'blocks/1', `transactions/${Id.format(Id.EMPTY)}`])(
    'rejects %s for the C-chain',
    async (path) => {
      const { json } = await ask(at('c-chain', path))
      expect(json.reason).toBe(REASON)
    },
  )

  test('names the C-chain in no list of an address, and says so', async () => {
    const [expected, actual] = await both(`/v1/networks/fuji/addresses:listChainIds?addresses=${OWNERS}`)
    const without = expected.addresses.map((one: Json) => ({
      ...one,
      blockchainIds: one.blockchainIds.filter((id: string) => id !== cChainId),
    }))
    expect(actual.addresses).toEqual(without)
    expect([expected.incomplete, actual.incomplete.reason]).toEqual([undefined, REASON])
  })
})
