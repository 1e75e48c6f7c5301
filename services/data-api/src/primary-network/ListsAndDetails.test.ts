import { recordedStore } from '@firn/store/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { differences } from '../testing/differences.ts'
import { serve } from '../testing/serve.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
type Json = any
type Ask = Awaited<ReturnType<typeof serve>>

const NETWORK = '/v1/networks/fuji'
const CHAINS = ['p-chain', 'x-chain', 'c-chain'] as const

async function get(ask: Ask, path: string): Promise<Json> {
  const { status, json } = await ask(NETWORK + path)
  expect([path, status, json.message]).toEqual([path, 200, undefined])
  return json
}

const HAS_COMMISSION = /^Add(Permissionless|AutoRenewed)ValidatorTx$/

/** Returns all items of a list. */
async function walk(ask: Ask, path: string, name: string): Promise<Json[]> {
  const found: Json[] = []
  for (let token = ''; ; ) {
    const query = `${path.includes('?') ? '&' : '?'}pageSize=100${token && `&pageToken=${token}`}`
    const page = await get(ask, path + query)
    found.push(...page[name])
    token = page.nextPageToken ?? ''
    if (token === '') return found
  }
}

/** Compares each item of a list with its own answer. Returns the number of items. */
async function compare(ask: Ask, items: readonly Json[], path: (item: Json) => string): Promise<number> {
  for (const item of items)
    expect([path(item), differences(item, await get(ask, path(item)))]).toEqual([path(item), []])
  return items.length
}

describe.each(['local', 'helicon', 'eras'] as const)('lists of the %s network', (name) => {
  let ask: Ask
  let transactions: ReadonlyMap<string, readonly Json[]>

  beforeAll(async () => {
    ask = await serve(await recordedStore(name))
    const lists = CHAINS.map(async (chain) => {
      return [chain, await walk(ask, `/blockchains/${chain}/transactions`, 'transactions')] as const
    })
    transactions = new Map(await Promise.all(lists))
  }, 240_000)

  test.each(CHAINS)('return each transaction of the %s as its own answer does', async (chain) => {
    const listed = transactions.get(chain) ?? []
    const path = `/blockchains/${chain}/transactions`
    expect(await compare(ask, listed, ({ txHash }) => `${path}/${txHash}`)).toBeGreaterThan(0)
  })

  test('return each output as the transaction that created it does', async () => {
    const all = [...transactions.values()].flat()
    const emitted = new Map<string, Json>(
      all.flatMap(({ emittedUtxos }) => emittedUtxos.map((utxo: Json) => [utxo.utxoId, utxo])),
    )
    const seen = all.flatMap(({ consumedUtxos }) => consumedUtxos)
    const owners = new Set<string>([...emitted.values()].flatMap(({ addresses }) => addresses))
    for (const owner of owners) {
      for (const chain of CHAINS)
        seen.push(
          ...(await walk(ask, `/blockchains/${chain}/utxos?addresses=${owner}&includeSpent=true`, 'utxos')),
        )
    }
    const compared = seen.filter(({ utxoId }: Json) => emitted.has(utxoId))
    for (const utxo of compared) {
      const own = emitted.get(utxo.utxoId)
      // Outputs of the P-chain have other forms of these members than those of the X- and C-chain.
      const { outputIndex, utxoType, ...members } = own
      const comparable = typeof outputIndex === typeof utxo.outputIndex ? own : members
      expect([utxo.utxoId, differences(utxo, comparable)]).toEqual([utxo.utxoId, []])
    }
    expect(compared.length).toBeGreaterThan(100)
  })

  test.each(CHAINS)('find exactly the transactions of the %s that show an address', async (chain) => {
    const shown = new Map<string, string[]>()
    for (const tx of transactions.get(chain) ?? []) {
      const {
        txHash,
        consumedUtxos,
        emittedUtxos,
        evmInputs = [],
        evmOutputs = [],
        rewardAddresses = [],
      } = tx
      const owners = [...consumedUtxos, ...emittedUtxos].flatMap(({ addresses }) => addresses)
      const accounts = [
        ...evmInputs.map(({ fromAddress }: Json) => fromAddress),
        ...evmOutputs.map(({ toAddress }: Json) => toAddress),
      ]
      for (const address of new Set([...owners, ...accounts, ...rewardAddresses]))
        shown.set(address, [...(shown.get(address) ?? []), txHash])
    }
    for (const [address, expected] of shown) {
      const found = await walk(ask, `/blockchains/${chain}/transactions?addresses=${address}`, 'transactions')
      // A validator also has an owner of the commission, which only its transaction names before it is paid.
      const named = found.filter(
        ({ txHash, txType }) => expected.includes(txHash) || !HAS_COMMISSION.test(txType),
      )
      expect([address, named.map(({ txHash }) => txHash)]).toEqual([address, expected])
    }
    expect(shown.size).toBeGreaterThan(1)
  })

  test('name one block for each transaction', async () => {
    const blocks = new Map<string, string>()
    const all = [...transactions].flatMap(([chain, some]) => some.map((tx) => ({ chain, ...tx })))
    for (const { txHash, chain, blockNumber, blockTimestamp, blockHash } of all) {
      const block = await get(ask, `/blockchains/${chain}/blocks/${blockNumber}`)
      expect(block).toMatchObject({ blockHash, blockTimestamp })
      if (blockNumber !== '0') expect(block.transactions).toContain(txHash)
      blocks.set(txHash, `${blockNumber} ${blockTimestamp}`)
    }
    const rewards = new Map<string, string>(
      all.flatMap(({ rewardTxHash, emittedUtxos }) =>
        emittedUtxos
          .filter(({ rewardType }: Json) => rewardType !== undefined)
          .map(({ utxoId, txHash }: Json) => [utxoId, rewardTxHash ?? txHash]),
      ),
    )
    for (const { consumedUtxos, emittedUtxos } of all) {
      for (const utxo of [...consumedUtxos, ...emittedUtxos]) {
        const maker = rewards.get(utxo.utxoId) ?? utxo.txHash
        const {
          blockNumber,
          blockTimestamp,
          consumingTxHash,
          consumingBlockNumber,
          consumingBlockTimestamp,
        } = utxo
        const expected = [maker, blocks.get(maker)]
        if (blocks.has(maker)) expect([maker, `${blockNumber} ${blockTimestamp}`]).toEqual(expected)
        if (consumingTxHash === undefined) continue
        const consumed = [consumingTxHash, `${consumingBlockNumber} ${consumingBlockTimestamp}`]
        expect(consumed).toEqual([consumingTxHash, blocks.get(consumingTxHash)])
      }
    }
  })

  test('return blocks, subnets and blockchains as their own answers do', async () => {
    for (const chain of CHAINS) {
      const path = `/blockchains/${chain}/blocks`
      expect(
        await compare(ask, await walk(ask, path, 'blocks'), ({ blockNumber }) => `${path}/${blockNumber}`),
      ).toBeGreaterThan(0)
    }
    const subnets = await walk(ask, '/subnets', 'subnets')
    expect(await compare(ask, subnets, ({ subnetId }) => `/subnets/${subnetId}`)).toBeGreaterThan(
      name === 'helicon' ? -1 : 0,
    )
    const blockchains = await walk(ask, '/blockchains', 'blockchains')
    const path = ({ blockchainId }: Json) => `/blockchains/${blockchainId}`
    expect(await compare(ask, blockchains, path)).toBeGreaterThan(1)
    await compare(
      ask,
      subnets.flatMap((subnet) => subnet.blockchains),
      path,
    )
    const byId = new Map(transactions.get('p-chain')?.map((tx) => [tx.txHash, tx]))
    for (const { subnetId, createBlockIndex, createBlockTimestamp } of subnets)
      expect(byId.get(subnetId)).toMatchObject({
        blockNumber: createBlockIndex,
        blockTimestamp: createBlockTimestamp,
      })
    for (const { blockchainId, createBlockNumber, createBlockTimestamp } of blockchains) {
      if (createBlockNumber === '-1') continue
      expect(byId.get(blockchainId)).toMatchObject({
        blockNumber: createBlockNumber,
        blockTimestamp: createBlockTimestamp,
      })
    }
  })
})
