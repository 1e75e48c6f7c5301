import { type EvmChain, EvmWriter } from '@firn/store/evm'
import { database, recordedEvmStore } from '@firn/store/testing'
import { expect, it } from 'vitest'
import { getCompleteness } from '../changes/getCompleteness.ts'
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
  const serve = () => createEvm([...evmEndpoints(context), getCompleteness(context)])
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
  const before = {
    calls: await ask(`${chain}/addresses/${sender}/transactions:listInternals`),
    all: await ask(`${chain}/addresses/${sender}/transactions`),
    transaction: await ask(transaction),
    completeness: await ask('completeness/43112'),
  }
  expect(before.calls.completeFromBlock).toBeUndefined()
  expect(before.calls.transactions).not.toEqual([])
  expect(before.transaction.internalTransactions).not.toEqual([])
  const tip = (await store.snapshot()).height
  const writer = await EvmWriter.open(store, (await store.chain()) as EvmChain)
  const depth = tip - last.height
  while (await writer.prune({ keep: { traces: 0n, logs: 0n }, depth }));
  // A server may answer from its memory until the next block.
  await server.close()
  server = await serve()
  const kept = String(last.height)
  const after = await ask(`${chain}/addresses/${sender}/transactions:listInternals`)
  expect(after.completeFromBlock).toBe(kept)
  const isKept = ({ blockNumber }: { blockNumber: string }) => BigInt(blockNumber) >= BigInt(kept)
  expect(after.transactions).toEqual(before.calls.transactions.filter(isKept))
  const { internalTransactions: _, ...rest } = before.transaction
  expect(await ask(transaction)).toEqual(rest)
  const all = await ask(`${chain}/addresses/${sender}/transactions`)
  expect(all.tracesFromBlock).toBe(kept)
  for (const one of all.transactions)
    expect(one.internalTransactions !== undefined).toBe(isKept(one.nativeTransaction))
  expect((await ask(`${chain}/logs`)).completeFromBlock).toBe(kept)
  expect(await ask('completeness/43112')).toEqual({
    ...before.completeness,
    logsFromBlock: kept,
    tracesFromBlock: kept,
  })
  await server.close()
  await store.close()
})
