import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AggregatorService, createAggregatorService, createConfiguration } from '@firn/aggregator'
import { Hex, Id, NodeId } from '@firn/codec'
import { PlatformMessages } from '@firn/devnet'
import { Endpoint, type PeerServer } from '@firn/p2p'
import { until } from '@firn/runtime/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SigningNetwork, startLiar, startSigningNetwork } from './testing/signingNetwork.ts'
import { startFirn } from './testing/startFirn.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-sync-'))
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** Starts `firn aggregator --sync` in this process. */
const startSync = async () => {
  const { flags } = network
  const ids = [flags.ids, ...liars.map(({ nodeId }) => NodeId.format(nodeId))].join()
  const ips = [flags.ips, ...liars.map(({ address }) => Endpoint.format(address))].join()
  const argv = [
    ...['aggregator', '--sync', '--api-port', '0', '--workers', '0', '--log-level', 'error'],
    ...['--bootstrap-ids', ids, '--bootstrap-ips', ips, '--data-dir', folder],
    ...['--genesis-file', write('genesis.json', flags.genesis)],
    ...['--upgrade-file', write('upgrade.json', flags.upgrades)],
  ]
  const { lines, notes, code, stop } = startFirn(argv)
  const close = async () => {
    stop()
    await code
  }
  closers.push(close)
  await until(() => expect([lines[0], notes]).toEqual([expect.stringMatching(/^listens/), notes]))
  const url = lines[0]?.match(/http:\/\/\S+/)?.[0] ?? ''
  return { url, close, lines, notes, code }
}

const PATH = '/v1/signatureAggregator/local/aggregateSignatures'
const ask = async (url: string, body: object, path = PATH) => {
  const answer = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
  return { status: answer.status, body: await answer.text() }
}

let network: SigningNetwork
let game: ReturnType<SigningNetwork['createL1']>
let synced: Awaited<ReturnType<typeof startSync>>
/** An aggregator of the same network that uses the API of a node. */
let node: AggregatorService
let liars: readonly PeerServer[]
let messages = 0

beforeAll(async () => {
  network = await startSigningNetwork(8, 5)
  closers.push(() => network.close())
  liars = await Promise.all([startLiar(network, 'garbage'), startLiar(network, 'silent')])
  game = network.createL1([5, 6])
  synced = await startSync()
  const configuration = {
    pChainApi: network.devnet.rpcUrl,
    apiPort: 0,
    logLevel: 'error',
    workers: 0,
  } as const
  node = await createAggregatorService(createConfiguration(configuration))
  closers.push(() => node.close())
})

/** Returns a new message of the L1's chain, or of the C-chain. */
const createMessage = (chain: Uint8Array | 'C') => {
  messages += 1
  return Hex.encode(network.devnet.acceptMessage({ chain, payload: Uint8Array.of(messages) }))
}

/** Sends a request to both aggregators. Returns the response with --sync after comparing them. */
const compare = async (body: object, path = `${PATH}?proof=true`) => {
  const [own, other] = await Promise.all([ask(synced.url, body, path), ask(node.url, body, path)])
  expect(own).toEqual(other)
  return { status: own.status, body: JSON.parse(own.body) }
}

/** Waits until the ledger has the newest block and both aggregators serve its height, and returns it. */
const untilFollowed = async () => {
  const height = `${network.height}`
  await expect.poll(async () => (await health()).sync.height).toBe(height)
  for (const { url } of [synced, node]) {
    // An aggregator keeps the height of the tip for a moment.
    const body = { message: createMessage('C'), pChainHeight: Number(height) }
    await expect.poll(async () => (await ask(url, body)).status).toBe(200)
  }
  return height
}

const health = async () =>
  (await (await fetch(`${synced.url}/health`)).json()) as { status: string; sync: { height: string } }
// All validators sign, so that the signed message does not depend on who answers first.
const ALL = { quorumPercentage: 100 }

describe('firn aggregator --sync', () => {
  test('reports its phase until it has synced the P-chain, some of whose peers lie', async () => {
    await expect.poll(async () => (await health()).status).toBe('up')
    expect((await health()).sync).toMatchObject({ phase: 'following', height: '3', tip: '3' })
    expect(synced.lines).toEqual([expect.stringMatching(/^listens/)])
  })

  test('signs messages of the C-chain and of an L1 as with a node', async () => {
    expect(await compare({ message: createMessage('C'), ...ALL })).toMatchObject({ status: 200 })
    const message = createMessage(game.chainId)
    expect(await compare({ message, ...ALL })).toMatchObject({ status: 200 })
    expect(await compare({ message, ...ALL, pChainHeight: 3 })).toMatchObject({ status: 200 })
    const signedByPrimary = { message: createMessage('C'), signingSubnetId: Id.format(Id.EMPTY), ...ALL }
    expect(await compare(signedByPrimary)).toMatchObject({ status: 200 })
  })

  test('rejects the same requests as with a node', async () => {
    const message = createMessage(game.chainId)
    for (const [body, status] of [
      [{ message, pChainHeight: 2 }, 400],
      [{ message, pChainHeight: 99 }, 400],
      [{ message, signingSubnetId: Id.format(new Uint8Array(32).fill(9)) }, 400],
      [{ message: `${message.slice(0, 20)}${'77'.repeat(32)}${message.slice(84)}` }, 400],
    ] as const) {
      expect(await compare(body)).toMatchObject({ status })
      await compare(body, '/aggregate-signatures')
    }
  })

  test('uses the set at each height while validators join and leave', async () => {
    const { chainId, subnetId } = game
    network.importFromX()
    const before = await untilFollowed()
    const validationId = network.register(subnetId, chainId, 7)
    const joined = await untilFollowed()
    const signers = async (pChainHeight: string, quorumPercentage = 100) => {
      const message = createMessage(chainId)
      const asked = { message, quorumPercentage, pChainHeight: Number(pChainHeight) }
      const { status, body } = await compare(asked)
      return [status, body.proof.validators.length]
    }
    expect([await signers(before), await signers(joined)]).toEqual([
      [200, 2],
      [200, 3],
    ])
    const { message, justification } = PlatformMessages.registered(network.devnet.networkId, validationId)
    const registration = {
      message: Hex.encode(message),
      justification: Hex.encode(justification),
      signingSubnetId: Id.format(Id.EMPTY),
      pChainHeight: Number(joined),
    }
    expect(await compare({ ...registration, ...ALL })).toMatchObject({ status: 200 })
    network.setWeight(chainId, validationId, 0n, 0n)
    const left = await untilFollowed()
    // The node that has left no longer signs.
    expect([await signers(left), await signers(joined, 66)]).toEqual([
      [200, 2],
      [200, 3],
    ])
    const txId = network.issue(network.join(5, 30))
    const primary = async (pChainHeight: string) => {
      const asked = { message: createMessage('C'), ...ALL, pChainHeight: Number(pChainHeight) }
      return (await compare(asked)).body.proof.validators.length
    }
    const staking = await untilFollowed()
    expect(await primary(staking)).toBe(6)
    network.end(txId, 30)
    const ended = await untilFollowed()
    expect([await primary(ended), await primary(staking)]).toEqual([5, 6])
  })

  test('continues with the stored P-chain after a restart', async () => {
    await synced.close()
    network.register(game.subnetId, game.chainId, 7)
    synced = await startSync()
    await untilFollowed()
    await expect.poll(async () => (await health()).status).toBe('up')
    expect(await compare({ message: createMessage(game.chainId), ...ALL })).toMatchObject({ status: 200 })
    expect(await compare({ message: createMessage(game.chainId), ...ALL, pChainHeight: 3 })).toMatchObject({
      status: 200,
    })
  })
})

describe('options of firn aggregator --sync', () => {
  test.each([
    [['--network', 'fuji', '--p-chain-api', 'http://127.0.0.1:1'], /leave out --p-chain-api/],
    [[], /pass --network mainnet or --network fuji, or the --genesis-file/],
    [['--network', 'local'], /pass --bootstrap-ids and --bootstrap-ips/],
    [['--network', 'fuji', '--bootstrap-ids', 'NodeID-1'], /expected one address in --bootstrap-ips/],
  ])('rejects %j', async (argv, expected) => {
    const { code, notes } = startFirn(['aggregator', '--sync', ...argv])
    expect([await code, notes]).toEqual([2, [expect.stringMatching(expected)]])
  })
})
