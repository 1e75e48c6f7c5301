import { readFileSync } from 'node:fs'
import { Bech32, Id } from '@firn/codec'
import { Records } from '@firn/ledger'
import type { Network } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { serve } from '../testing/serve.ts'

/** Final balances from the recorded node, by address. */
const SAID: {
  readonly platform: Readonly<Record<string, string>>
  readonly staked: Readonly<Record<string, string>>
  readonly avm: Readonly<Record<string, Readonly<Record<string, string>>>>
} = JSON.parse(readFileSync(new URL('../../vectors/balances.json', import.meta.url), 'utf8'))

// biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
type Json = any
type Ask = Awaited<ReturnType<typeof serve>>

/** Returns all items of a list by reading all of its pages. */
async function walk(ask: Ask, path: string): Promise<Json[]> {
  const found: Json[] = []
  for (let token = ''; ; ) {
    const query = `${path.includes('?') ? '&' : '?'}pageSize=50${token && `&pageToken=${token}`}`
    const { status, json } = await ask(`/v1/networks/fuji/blockchains/${path}${query}`)
    expect([status, json.message]).toEqual([200, undefined])
    found.push(...json.transactions)
    token = json.nextPageToken ?? ''
    if (token === '') return found
  }
}

const total = (amounts: readonly { readonly amount: string }[]) =>
  amounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)

/** Returns the total amount of each asset, by asset id. */
function byAsset(
  amounts: readonly { readonly assetId: string; readonly amount: string }[],
): Readonly<Record<string, bigint>> {
  const sums: Record<string, bigint> = {}
  for (const { assetId, amount } of amounts) {
    if (amount !== '0') sums[assetId] = (sums[assetId] ?? 0n) + BigInt(amount)
  }
  return sums
}

/** Returns the refunded balances of L1 validators. */
function refundOf({ l1ValidatorDetails = [] }: Json): bigint {
  const changes = l1ValidatorDetails.map(({ balanceChange = 0 }: Json) => BigInt(balanceChange))
  return changes.reduce((sum: bigint, change: bigint) => (change < 0n ? sum - change : sum), 0n)
}

const assetsOf = (utxos: readonly Json[]) => utxos.map(({ asset }) => asset)

describe.each(['local', 'helicon', 'eras'] as const)('accounting on the %s network', (name) => {
  let ask: Ask

  beforeAll(async () => {
    ask = await serve(await recordedStore(name))
  })

  test('returns P-chain transactions whose inputs equal their outputs, stake, L1 balances and fee', async () => {
    const transactions = await walk(ask, 'p-chain/transactions')
    for (const tx of transactions) {
      const { consumedUtxos, emittedUtxos, value, amountBurned, amountStaked } = tx
      const isGenesis = tx.blockNumber === '0'
      const spent = isGenesis ? byAsset(value) : byAsset(assetsOf(consumedUtxos))
      expect([tx.txHash, byAsset([...value, ...amountBurned])]).toEqual([tx.txHash, spent])
      // The inputs do not pay for rewards or for refunds of L1 balances.
      const paid = emittedUtxos.filter(({ rewardType }: Json) => rewardType === undefined)
      expect([tx.txHash, total(assetsOf(paid)) - refundOf(tx)]).toEqual([tx.txHash, total(value)])
      const stakes = emittedUtxos.filter(({ utxoType }: Json) => utxoType === 'STAKE')
      expect(byAsset(amountStaked)).toEqual(byAsset(assetsOf(stakes)))
      const fee = total(amountBurned) - total(tx.amountL1ValidatorBalanceBurned)
      // Proposal transactions, which reward validators or advance the time, have neither inputs nor a memo.
      const isFree = isGenesis || tx.memo === undefined
      expect([tx.txHash, tx.txType, fee > 0n]).toEqual([tx.txHash, tx.txType, !isFree])
    }
    expect(transactions.length).toBeGreaterThan(30)
  })

  test('reports a burned amount equal to the fee for each X-chain transaction, except OperationTx and CreateAssetTx', async () => {
    for (const tx of await walk(ask, 'x-chain/transactions')) {
      if (tx.txType === 'OperationTx' || tx.txType === 'CreateAssetTx') continue
      const [unlocked, created] = [byAsset(tx.amountUnlocked), byAsset(tx.amountCreated)]
      const burned = Object.entries(unlocked).map(([id, sum]) => sum - (created[id] ?? 0n))
      expect([tx.txHash, burned.filter((sum) => sum !== 0n)]).toEqual([tx.txHash, [1_000_000n]])
    }
  })

  test.each(['x-chain', 'c-chain'])(
    'returns %s transactions with the same field names as P-chain transactions',
    async (chain) => {
      const transactions = await walk(ask, `${chain}/transactions`)
      for (const tx of transactions) {
        expect(tx).toMatchObject({
          blockTimestamp: tx.timestamp,
          blockNumber: String(tx.blockHeight),
          value: tx.amountCreated,
          amountStaked: [],
          amountL1ValidatorBalanceBurned: [],
        })
        const [unlocked, created] = [byAsset(tx.amountUnlocked), byAsset(tx.amountCreated)]
        const burned = Object.entries(unlocked).map(([id, sum]) => [id, sum - (created[id] ?? 0n)] as const)
        expect(byAsset(tx.amountBurned)).toEqual(Object.fromEntries(burned.filter(([, sum]) => sum > 0n)))
        for (const utxo of [...tx.consumedUtxos, ...tx.emittedUtxos]) {
          expect(utxo).toMatchObject({
            amount: utxo.asset.amount,
            assetId: utxo.asset.assetId,
            txHash: utxo.creationTxHash,
            blockTimestamp: utxo.timestamp,
            blockNumber: expect.stringMatching(/^\d+$/),
          })
          expect(utxo.consumingBlockTimestamp).toBe(utxo.consumingTxTimestamp)
        }
        for (const utxo of tx.emittedUtxos) expect(utxo.blockNumber).toBe(tx.blockNumber)
      }
      expect(transactions.length).toBeGreaterThan(name === 'local' ? 5 : 0)
    },
  )
})

describe('balances', () => {
  let ask: Ask
  let network: Network

  beforeAll(async () => {
    const store = await recordedStore('local')
    network = (await store.network()) as Network
    ask = await serve(store)
  })

  test.each(Object.keys(SAID.platform))(
    'lists P-chain transactions of %s that add up to the balances that the node reports',
    async (address) => {
      const transactions = await walk(ask, `p-chain/transactions?addresses=P-${address}`)
      const mine = (utxos: readonly Json[]) => utxos.filter(({ addresses }) => addresses.includes(address))
      const { genesis, constants } = network
      const allocated = genesis.platform.utxos.filter(({ output }) =>
        Records.unlocked(output).addresses.some((one) => Bech32.encode(constants.hrp, one) === address),
      )
      let balance = allocated.reduce(
        (sum, { output }) => sum + (Records.unlocked(output) as { amount: bigint }).amount,
        0n,
      )
      let staked = 0n
      for (const tx of transactions) {
        const native = mine(tx.emittedUtxos).filter(
          ({ consumedOnChainId }) => consumedOnChainId === Id.format(Id.EMPTY),
        )
        staked += total(native.filter(({ staked: isStaked }) => isStaked))
        balance += total(native.filter(({ staked: isStaked }) => !isStaked))
        balance -= total(
          mine(tx.consumedUtxos).filter(({ createdOnChainId }) => createdOnChainId === Id.format(Id.EMPTY)),
        )
      }
      expect([balance, staked]).toEqual([
        BigInt(SAID.platform[address] ?? -1),
        BigInt(SAID.staked[address] ?? -1),
      ])
    },
  )
})
