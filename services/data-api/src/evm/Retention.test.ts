import { type EvmChain, EvmDoctor, EvmWriter } from '@firn/evm-store'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { database } from '@firn/sql/testing'
import { expect, it } from 'vitest'
import { getCompleteness } from '../changes/getCompleteness.ts'
import { createConcurrencyLimit } from '../http/admission/ConcurrencyLimit.ts'
import { listHolders } from '../metrics/listHolders.ts'
import { createUuidTokens } from '../metrics/UuidTokens.ts'
import { createEvm, evmContextOf } from '../testing/serveEvm.ts'
import { evmEndpoints } from './Endpoints.ts'

it('tells from which block on pruned data is kept, and lists none below', async () => {
  const store = await recordedEvmStore('c', () => [])
  const calls = await database(store).selectFrom('internal_call').selectAll().orderBy('height').execute()
  const [first] = calls
  const last = calls.at(-1)
  if (first === undefined || last === undefined || first.height === last.height)
    throw new Error('expected calls')
  const context = await evmContextOf([store])
  const limit = createConcurrencyLimit({ most: 1, mostWaiting: 1, waitMs: 5_000 })
  const tokens = createUuidTokens(context.tokens, context.now)
  const serve = () =>
    createEvm([...evmEndpoints(context), getCompleteness(context), listHolders(context, tokens, limit)])
  let server = await serve()
  const ask = async (path: string) => (await server.inject(`/v1/${path}`)).json()
  const chain = 'chains/43112'
  const sender = `0x${Buffer.from(first.sender).toString('hex')}`
  const { hash } = await database(store)
    .selectFrom('transaction')
    .select('hash')
    .where('height', '=', first.height)
    .where('transaction_index', '=', first.transaction_index)
    .executeTakeFirstOrThrow()
  const transaction = `${chain}/transactions/0x${Buffer.from(hash).toString('hex')}`
  const { contract } = await database(store)
    .selectFrom('transfer')
    .select('contract')
    .orderBy('height')
    .executeTakeFirstOrThrow()
  const token = `${chain}/tokens/0x${Buffer.from(contract).toString('hex')}/transfers?pageSize=100`
  const before = {
    calls: await ask(`${chain}/addresses/${sender}/transactions:listInternals`),
    all: await ask(`${chain}/addresses/${sender}/transactions`),
    transaction: await ask(transaction),
    transfers: await ask(token),
    completeness: await ask('completeness/43112'),
  }
  expect(before.calls.completeFromBlock).toBeUndefined()
  expect(before.calls.transactions).not.toEqual([])
  expect(before.transaction.internalTransactions).not.toEqual([])
  const tip = (await store.snapshot()).height
  const writer = await EvmWriter.open(store, (await store.chain()) as EvmChain)
  const depth = tip - last.height
  while (await writer.prune({ keep: { traces: 0n, logs: 0n, transfers: 0n }, depth }));
  // A server may answer from its memory until the next block.
  await server.close()
  server = await serve()
  const kept = String(last.height)
  const after = await ask(`${chain}/addresses/${sender}/transactions:listInternals`)
  expect(after.completeFromBlock).toBe(kept)
  const isKept = ({ blockNumber }: { blockNumber: string }) => BigInt(blockNumber) >= BigInt(kept)
  expect(after.transactions).toEqual(before.calls.transactions.filter(isKept))
  const { nativeTransaction, networkTokenDetails } = before.transaction
  expect(await ask(transaction)).toEqual({ nativeTransaction, networkTokenDetails })
  const all = await ask(`${chain}/addresses/${sender}/transactions`)
  expect(all.tracesFromBlock).toBe(kept)
  expect(all.transfersFromBlock).toBe(kept)
  for (const { nativeTransaction, ...parts } of all.transactions)
    expect(Object.keys(parts)).toHaveLength(isKept(nativeTransaction) ? 4 : 0)
  const transfers = await ask(token)
  expect(transfers.completeFromBlock).toBe(kept)
  expect(before.transfers.transfers.some((one: { blockNumber: string }) => !isKept(one))).toBe(true)
  expect(transfers.transfers).toEqual(before.transfers.transfers.filter(isKept))
  expect((await ask(`${chain}/logs`)).completeFromBlock).toBe(kept)
  expect(await ask('completeness/43112')).toEqual({
    ...before.completeness,
    logsFromBlock: kept,
    tracesFromBlock: kept,
    transfersFromBlock: kept,
  })
  // Holders at a time follow from the newest balances and the transfers since then.
  const holders = `/v2/chains/43112/contracts/0x${Buffer.from(contract).toString('hex')}/balances?threshold=0`
  const statusAt = async (height: bigint) => {
    const blocks = database(store).selectFrom('block').select('time').where('height', '=', height)
    const { time } = await blocks.executeTakeFirstOrThrow()
    return (await server.inject(`${holders}&endTimestamp=${time}`)).statusCode
  }
  expect([await statusAt(last.height), await statusAt(last.height - 1n)]).toEqual([200, 404])
  const balancesAt = async (height: bigint) => {
    const path = `/v1/${chain}/addresses/${sender}/balances:listErc20?blockNumber=${height}`
    return (await server.inject(path)).statusCode
  }
  expect(await balancesAt(last.height - 1n)).toBe(200)
  const nfts = await database(store)
    .selectFrom('token')
    .select(['contract', 'token_id', 'standard'])
    .orderBy('standard')
    .execute()
  const holdersAt = async (standard: number, height: bigint) => {
    const { contract: of, token_id: id } = nfts.find((one) => one.standard === standard) ?? nfts[0] ?? {}
    const path = `/v1/${chain}/nfts/collections/0x${Buffer.from(of ?? []).toString('hex')}/tokens/${id}`
    return (await server.inject(`${path}/holders?blockNumber=${height}`)).statusCode
  }
  expect(new Set(nfts.map(({ standard }) => standard))).toEqual(new Set([721, 1155]))
  // Balances after the block before the first kept transfers still follow from them.
  expect([await holdersAt(1155, last.height - 1n), await holdersAt(1155, last.height - 2n)]).toEqual([
    200, 404,
  ])
  expect([await holdersAt(721, last.height), await holdersAt(721, last.height - 2n)]).toEqual([200, 200])
  while (await writer.prune({ keep: { balances: 0n }, depth }));
  await server.close()
  server = await serve()
  expect([await balancesAt(last.height), await balancesAt(last.height - 1n)]).toEqual([200, 404])
  expect([await holdersAt(721, last.height), await holdersAt(721, last.height - 1n)]).toEqual([200, 404])
  expect((await ask('completeness/43112')).balancesFromBlock).toBe(kept)
  while (await writer.prune({ keep: { transactions: 0n }, depth }));
  await server.close()
  server = await serve()
  const native = await ask(`${chain}/addresses/${sender}/transactions:listNative`)
  expect(native.completeFromBlock).toBe(kept)
  const list = await ask(`${chain}/transactions?pageSize=100`)
  expect([list.completeFromBlock, list.transactions.every(isKept)]).toEqual([kept, true])
  expect(list.transactions).not.toEqual([])
  const ofAll = await ask('transactions?pageSize=100')
  expect(ofAll.completeFromBlocks).toEqual({ 43112: kept })
  expect(ofAll.transactions).toEqual(list.transactions)
  expect((await ask('blocks')).completeFromBlocks).toBeUndefined()
  expect((await ask(transaction)).message).toContain(`kept from block ${kept}`)
  const ofBlock = async (height: bigint) =>
    (await server.inject(`/v1/${chain}/blocks/${height}/transactions`)).statusCode
  expect([await ofBlock(last.height), await ofBlock(last.height - 1n)]).toEqual([200, 404])
  expect((await ask('completeness/43112')).transactionsFromBlock).toBe(kept)
  expect((await EvmDoctor.check(store)).faults).toEqual([])
  await server.close()
  await store.close()
})
