import { isDeepStrictEqual } from 'node:util'
import { Hex } from '@firn/codec'
import { startLocalEvm } from '@firn/demo-chain'
import { createProxies } from '@firn/demo-chain/proxies'
import { EvmContracts, EvmDoctor } from '@firn/evm-store'
import { openEvm } from '@firn/evm-store/testing'
import { expect, it } from 'vitest'
import { createEvmProxy } from '../testing/evmProxy.ts'
import { CHAIN } from '../testing/evmStores.ts'
import { until } from '../testing/reliability.ts'
import { createEvmIndexer } from './EvmIndexer.ts'

const CHAIN_ID = 4_245n
const GENESIS = 1_700_000_000

it('follows the implementations of proxies of each standard through upgrades and reorgs', async () => {
  const signal = new AbortController().signal
  const evm = await startLocalEvm({ chainId: Number(CHAIN_ID), genesisTime: GENESIS, signal })
  const node = await createEvmProxy(evm.url)
  const store = await openEvm({ chainId: CHAIN_ID })
  const proxies = await createProxies(node.url, GENESIS + 10)
  const { versions, clone, eip1967, eip1822, zeppelinos, beacon, beaconProxies } = proxies
  const [first, second] = versions
  const indexer = createEvmIndexer({
    chains: [{ store, chain: CHAIN, upstreams: [{ url: node.url }], withTraces: false }],
    pollMs: 10,
  })
  const stop = new AbortController()
  const running = indexer.run(stop.signal)
  const hex = (bytes: Uint8Array | null | undefined) => (bytes ? Hex.encode(bytes) : undefined)
  const known = async (address: string) => {
    const [one] = await EvmContracts.byAddresses(store, await store.snapshot(), [Hex.decode(address)])
    const { proxy, implementation, beacon, name, decimals } = one ?? {}
    return [proxy, hex(implementation), hex(beacon), name && String(Buffer.from(name)), decimals]
  }
  const all = [first, second, clone, eip1967, eip1822, zeppelinos, beacon, ...beaconProxies]
  const expected = (implementation: string, ...token: readonly [name: string, decimals: number]) => [
    ['NONE', undefined, undefined, 'First', 6],
    ['NONE', undefined, undefined, 'Second', 8],
    ['EIP-1167', first, undefined, 'First', 6],
    ['EIP-1967', implementation, undefined, ...token],
    ['EIP-1822', implementation, undefined, ...token],
    ['ZEPPELINOS', implementation, undefined, ...token],
    ['NONE', undefined, undefined, null, null],
    ...beaconProxies.map(() => ['EIP-1967-BEACON', implementation, beacon, ...token]),
  ]
  /** Waits until the contracts of the newest block are known. */
  const arrives = async (contracts: unknown) => {
    const isEqual = async () => isDeepStrictEqual(await Promise.all(all.map(known)), contracts)
    await until(() => isEqual().catch(() => false))
    expect(await Promise.all(all.map(known))).toEqual(contracts)
  }
  try {
    await arrives(expected(first, 'First', 6))
    await proxies.upgrade([eip1967, eip1822, zeppelinos, beacon], GENESIS + 20)
    await proxies.block(GENESIS + 30)
    await arrives(expected(second, 'Second', 8))
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    await node.ask('anvil_rollback', [2])
    for (const time of [21, 31, 41]) await proxies.block(GENESIS + time)
    await arrives(expected(first, 'First', 6))
  } finally {
    stop.abort()
    await running
    await Promise.all([store.close(), node.close(), evm.close()])
  }
})
