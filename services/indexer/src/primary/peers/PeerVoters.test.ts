import { join } from 'node:path'
import { type Clock, silentLogger } from '@firn/runtime'
import { Writer } from '@firn/store'
import { openStore } from '@firn/store/testing'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder, unpack } from '../../testing/archives.ts'
import * as GenesisFiles from '../archive/GenesisFiles.ts'
import { createVoters } from './PeerVoters.ts'

const { folder, remove } = temporaryFolder()
afterAll(remove)

/** Returns voters of the recorded network at its genesis, and a function that lets them read the validators again. */
async function setUp(acceptedHeight: bigint | undefined) {
  const archive = join(folder, 'local')
  unpack('local', archive)
  const rules = await GenesisFiles.load({ archive, now: 0n })
  const store = await openStore()
  await Writer.open(store, rules.genesis, rules.constants)
  let tracked: readonly Uint8Array[] = []
  let connected: readonly Uint8Array[] = []
  let wake: () => void = () => undefined
  let rounds = 0
  const clock: Clock = {
    now: () => 0,
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        wake = resolve
        rounds += 1
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
  }
  const beacons = [new Uint8Array(20).fill(7)]
  const voters = createVoters({
    store,
    beacons,
    acceptedHeight: () => acceptedHeight,
    connected: () => connected,
    track: (nodeIds) => {
      tracked = nodeIds
    },
    clock,
    log: silentLogger,
  })
  onTestFinished(async () => {
    await voters.close()
    await store.close()
  })
  const connect = async (count: number) => {
    await expect.poll(() => rounds).toBeGreaterThan(0)
    connected = tracked.slice(0, count)
    const before = rounds
    wake()
    await expect.poll(() => rounds).toBeGreaterThan(before)
  }
  return { voters, connect, tracked: () => tracked.length }
}

it('lets the validators decide once three quarters are connected, and the beacons if half are lost', async () => {
  const { voters, connect, tracked } = await setUp(10n)
  const count = () => voters.current().length
  await connect(0)
  expect(tracked()).toBe(5)
  expect(voters.current()).toEqual([{ nodeId: new Uint8Array(20).fill(7), weight: 1n }])
  await connect(3)
  expect(count()).toBe(1)
  await connect(4)
  expect(count()).toBe(5)
  expect(voters.current().every(({ weight }) => weight > 1n)).toBe(true)
  await connect(3)
  expect(count()).toBe(5)
  await connect(2)
  expect(count()).toBe(1)
})

it.each([
  ['is unknown', undefined],
  ['is far ahead of the ledger', 1_000n],
])('lets the beacons decide while the P-chain %s', async (_name, height) => {
  const { voters, connect, tracked } = await setUp(height)
  await connect(5)
  expect(tracked()).toBe(0)
  expect(voters.current()).toHaveLength(1)
})
