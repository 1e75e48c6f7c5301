import { Hex, Id } from '@firn/codec'
import { createDevnet, type Devnet, type DevnetValidator } from '@firn/devnet'
import { createClient, PlatformMethods, ProposerVmMethods } from '@firn/rpc'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, startService } from '../testing/devnet.ts'
import type { Ledger, LedgerStatus } from './Ledger.ts'

const FOLLOWING: LedgerStatus = {
  phase: 'following',
  height: 5n,
  tip: 5n,
  blocksPerSecond: 1.26,
  secondsLeft: undefined,
  peers: 2,
  problem: undefined,
}
const FETCHING: LedgerStatus = {
  ...FOLLOWING,
  phase: 'fetching',
  height: 0n,
  secondsLeft: 8.2,
  problem: 'the P-chain is not synced yet: fetched 2 of 5 blocks from 2 peers',
}

let devnet: Devnet
let bench: Bench
let status = FETCHING
beforeAll(async () => {
  devnet = await createDevnet({ validators: 5, l1s: [{ nodes: 'own', validators: 3 }] })
  const ledger: Ledger = {
    networkId: devnet.networkId,
    epochDurationSeconds: 30,
    platform: createClient(PlatformMethods, { url: devnet.rpcUrl, path: '/ext/bc/P' }),
    proposerVm: createClient(ProposerVmMethods, { url: devnet.rpcUrl, path: '/ext/bc/P/proposervm' }),
    beacons: devnet.validators.slice(0, 1).map(({ nodeId, address: endpoint }) => ({ nodeId, endpoint })),
    status: () => status,
  }
  // There is no node API at this address.
  bench = await startService(devnet, { pChainApi: 'http://127.0.0.1:1', requestTimeout: 600_000 }, { ledger })
})
afterEach(() => {
  status = FOLLOWING
})
afterAll(async () => {
  await bench.service.close()
  await devnet.close()
})

const message = () =>
  Hex.encode(devnet.acceptMessage({ chain: devnet.chains.l1s[0] as never, payload: Uint8Array.of(1) }))

describe('a service with a ledger', () => {
  it('says how far the ledger is, and responds with 503, until the ledger follows the tip', async () => {
    status = FETCHING
    expect(await bench.health()).toMatchObject({
      status: 503,
      body: {
        problems: [
          'P-chain: the P-chain is not synced yet: fetched 2 of 5 blocks from 2 peers',
          'the validators of the Primary Network are not known yet',
        ],
        sync: { phase: 'fetching', height: '0', tip: '5', blocksPerSecond: 1.3, secondsLeft: 9, peers: 2 },
      },
    })
    const text = 'the P-chain is not synced yet: fetched 2 of 5 blocks from 2 peers'
    expect(await bench.ask({ message: message() })).toMatchObject({ status: 503, body: { message: text } })
    const go = await bench.post('/aggregate-signatures', { message: message() })
    expect(go).toMatchObject({ status: 500, body: { error: expect.stringContaining(text) } })
  })

  it('signs with addresses from gossip alone as soon as the ledger follows the tip', async () => {
    expect(await bench.ask({ message: message() })).toMatchObject({ status: 200 })
    await expect.poll(async () => (await bench.health()).status).toBe(200)
    const { body } = await bench.health()
    expect(body.sync).toMatchObject({ phase: 'following', height: '5' })
    expect(body.subnets[0]).toMatchObject({ connectedValidators: 5 })
  })

  it('connects to the validators of a new set without a request', async () => {
    const { nodeId, publicKey } = devnet.validators[5] as DevnetValidator
    devnet.advance([{ kind: 'set-primary', nodeId, publicKey, weight: 9n }])
    devnet.passTime(60_000)
    const connected = async () => (await bench.health()).body.subnets[0].connectedValidators
    await expect.poll(connected).toBe(6)
  })

  it('uses known validator sets while the ledger is behind, as while a node API is down', async () => {
    expect(await bench.ask({ message: message() })).toMatchObject({ status: 200 })
    status = { ...FOLLOWING, problem: 'the P-chain is behind: applied 5 of 99 blocks' }
    expect(await bench.ask({ message: message() })).toMatchObject({ status: 200 })
    const destination = { message: message(), destinationChain: Id.format(Id.EMPTY) }
    expect(await bench.ask(destination)).toMatchObject({ status: 503, body: { message: /is behind/ } })
  })
})
