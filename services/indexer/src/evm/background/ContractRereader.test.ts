import type { ContractFacts } from '@firn/evm'
import { EvmContracts, EvmWriter } from '@firn/evm-store'
import {
  evmAddress,
  evmBlock,
  evmTransaction,
  evmTransfer,
  openEvm,
  TEST_CHAIN,
} from '@firn/evm-store/testing'
import { silentLogger, systemClock } from '@firn/runtime'
import { expect, it } from 'vitest'
import { IndexerError } from '../../common/IndexerError.ts'
import { readContinuously, readDue } from './ContractRereader.ts'

const PROXY = evmAddress(9)
const transfer = evmTransfer(0n, PROXY, evmAddress(1), evmAddress(2), { amount: 1n })
const INITIALIZED: ContractFacts = {
  address: PROXY,
  kind: 'ERC-20',
  name: new TextEncoder().encode('Late'),
  symbol: new TextEncoder().encode('L'),
  decimals: 6,
}

it('reads the name and decimals of a proxy that was initialized late', async () => {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const asked: unknown[] = []
  const stop = new AbortController()
  let failures = 1
  const contracts: Parameters<typeof readDue>[0]['contracts'] = {
    facts: async (seen, { height }) => {
      asked.push(height)
      if (failures-- > 0) throw new IndexerError('INDEXER_ABSENT', 'no node has the block')
      return seen.map(() => INITIALIZED)
    },
  }
  const options = { store, writer, contracts }
  expect(await readDue(options, stop.signal)).toBe(false)
  const block = evmBlock(0n, { transactions: [evmTransaction({ logs: [transfer] })] })
  await writer.commit([{ block, contracts: [{ ...INITIALIZED, kind: 'UNKNOWN', name: undefined }] }])
  expect(await readDue(options, stop.signal)).toBe(false)
  await writer.commit([{ block: evmBlock(1n, { timestamp: block.timestamp + 60n }), contracts: [] }])
  const pauses: number[] = []
  const clock = {
    ...systemClock,
    // Pauses after a fault are shorter than the waits for new blocks.
    sleep: async (ms: number) => void (pauses.push(ms) > 1 && stop.abort()),
  }
  // While many blocks are missing, nothing is read.
  let head = 2_000n
  const running = { ...options, head: () => head, clock, random: () => 0, log: silentLogger }
  const behind = new AbortController()
  const waiting = { ...clock, sleep: async () => behind.abort() }
  await readContinuously({ ...running, clock: waiting }, behind.signal)
  expect(asked).toEqual([])
  head = 1n
  await readContinuously(running, stop.signal)
  expect(asked).toEqual([1n, 1n])
  const [known] = await EvmContracts.byAddresses(store, await store.snapshot(), [PROXY])
  expect(known).toMatchObject({ standard: 20, name: INITIALIZED.name, decimals: 6 })
  await store.close()
})
