import { NodeId } from '@firn/codec'
import { createDevnet, type Devnet } from '@firn/devnet'
import { silentLogger } from '@firn/runtime'
import { createFakeClock } from '@firn/runtime/testing'
import { expect, it } from 'vitest'
import { createSwitch, startService } from '../testing/devnet.ts'
import { createFakeNetwork } from '../testing/fakes.ts'
import { createAddressBook } from './AddressBook.ts'

const nodes = [1, 2, 3].map((fill) => new Uint8Array(20).fill(fill))

function setUp() {
  const clock = createFakeClock()
  const network = createFakeNetwork()
  /** The nodes of each request, by their first byte, with the time of the request in seconds. */
  const asked: [seconds: number, ids: readonly (number | undefined)[]][] = []
  const start = clock.now()
  const peers = async (ids: readonly Uint8Array[]) => {
    asked.push([(clock.now() - start) / 1_000, ids.map(([first]) => first)])
    return []
  }
  const dependencies = { network, pChain: { peers }, clock, log: silentLogger, allowPrivate: true }
  const search = createAddressBook({ ...dependencies, refreshMs: 5_000 })
  const signal = new AbortController().signal
  const run = async (seconds: number) => {
    for (let step = 0; step < seconds * 2; step++) {
      await search(nodes, signal)
      await clock.advance(500)
    }
  }
  const connect = (...chosen: readonly Uint8Array[]) => {
    network.connected.clear()
    for (const nodeId of chosen) network.connected.add(NodeId.format(nodeId))
  }
  return { asked, run, connect }
}

it('requests the addresses of unreachable validators again, less and less often up to the refresh period', async () => {
  const { asked, run, connect } = setUp()
  connect(...nodes.slice(1))
  await run(18)
  expect(asked).toEqual([0, 1, 3, 7, 12, 17].map((seconds) => [seconds, [1]]))
})

it('requests the address of a validator at once when its connection is lost, together with addresses that are almost due', async () => {
  const { asked, run, connect } = setUp()
  connect(...nodes.slice(1))
  await run(6)
  connect(...nodes.slice(2))
  await run(1)
  connect(...nodes)
  await run(1)
  connect()
  await run(1)
  expect(asked).toEqual([
    [0, [1]],
    [1, [1]],
    [3, [1]],
    [6, [1, 2]],
    [8, [1, 2, 3]],
  ])
})

it('reconnects to all validators after they moved to other ports', async () => {
  const before = await createDevnet({ validators: 5 })
  const upstream = await createSwitch(before)
  const { service } = await startService(before, { pChainApi: upstream.url })
  const connected = ({ validators }: Devnet) => validators.filter((one) => one.peers().length > 0).length
  await expect.poll(() => connected(before)).toBe(5)
  // A devnet with the same seed has the same validators, at other ports.
  const after = await createDevnet({ validators: 5 })
  upstream.forwardTo(after)
  await before.close()
  await expect.poll(() => connected(after)).toBe(5)
  await service.close()
  await after.close()
  upstream.close()
})
