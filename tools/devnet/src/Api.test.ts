import { Hex, Id, NodeId } from '@firn/codec'
import { CallerLimits, type Exchange } from '@firn/node-api'
import { Timers } from '@firn/p2p'
import { createClient, InfoMethods, PlatformMethods, ProposerVmMethods } from '@firn/rpc'
import { L1Message, ValidationId, ValidatorSet } from '@firn/warp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdmin } from './Admin.ts'
import { createDevnet, type Devnet, type L1 } from './index.ts'

const PRIMARY = Id.format(new Uint8Array(32))
const timers = { ...Timers.SYSTEM, offset: 0, now: () => Date.now() + timers.offset }
let devnet: Devnet
let l1: L1
beforeAll(async () => {
  devnet = await createDevnet({
    timers,
    validators: 6,
    keyless: [5],
    l1s: [{ inactive: [1], weights: [7n, 8n] }],
  })
  l1 = devnet.l1s[0] as L1
})
afterAll(() => devnet.close())

const info = () => createClient(InfoMethods, { url: `${devnet.rpcUrl}/ext/info` })
const platform = (path = '/ext/bc/P') => createClient(PlatformMethods, { url: devnet.rpcUrl + path })

describe('Info', () => {
  test('reports the network id, the chains, and the peer addresses of all validators', async () => {
    expect(await info().call('info.getNetworkID')).toEqual({ networkID: 12345 })
    expect(await info().call('info.getBlockchainID', { alias: 'C' })).toEqual({
      blockchainID: devnet.chains.c.id,
    })
    const { peers } = await info().call('info.peers')
    expect(peers.map(({ publicIP }) => publicIP)).toEqual(
      devnet.validators.map(({ address }) => `127.0.0.1:${address.port}`),
    )
    expect(peers[0]?.trackedSubnets).toHaveLength(2)
  })

  test('lists peers in the order in which the request names them', async () => {
    const nodeIds = [3, 1].map((index) => devnet.validators[index]?.nodeId as Uint8Array)
    const { peers } = await info().call('info.peers', { nodeIDs: [...nodeIds, new Uint8Array(20)] })
    expect(peers.map(({ nodeID: nodeId }) => nodeId)).toEqual(nodeIds)
  })
})

describe('P-chain', () => {
  test('returns canonical sets that include the weight of keyless and inactive validators', async () => {
    for (const path of ['/ext/bc/P', '/ext/P', `/ext/bc/${PRIMARY}`]) {
      const { validatorSets } = await platform(path).call('platform.getAllValidatorsAt', {
        height: 'proposed',
      })
      const primary = validatorSets.get(PRIMARY)
      expect(primary?.validators).toHaveLength(5)
      expect(primary?.totalWeight).toBe(6n * 2_000_000_000_000_000n)
      const set = validatorSets.get(Id.format(l1.subnetId))
      expect(set?.validators).toHaveLength(4)
      expect(set?.totalWeight).toBe(7n + 8n + 300n)
      const nodes =
        set?.validators.map(({ nodeIDs: nodeIds, ...rest }) => ({ ...rest, nodeIds: nodeIds })) ?? []
      expect(() => ValidatorSet.fromCanonical({ validators: nodes, totalWeight: 315n })).not.toThrow()
    }
  })

  test('sums the weight of inactive validators under the empty NodeID', async () => {
    const { height } = await platform().call('platform.getHeight')
    const set = await platform().call('platform.getValidatorsAt', { height, subnetID: l1.subnetId })
    expect(set.get(NodeId.format(new Uint8Array(20)))).toEqual({ publicKey: null, weight: 8n })
  })

  test('returns the lowest fee of L1 validators', async () => {
    const { timestamp } = await platform().call('platform.getTimestamp')
    expect(await platform().call('platform.getValidatorFeeState')).toEqual({
      excess: 0n,
      price: 1n,
      timestamp,
    })
  })

  test('reports the L1 only at the height of its conversion and above', async () => {
    const before = await platform().call('platform.getAllValidatorsAt', { height: 0n })
    expect([...before.validatorSets.keys()]).toEqual([PRIMARY])
    expect(await platform().call('platform.validatedBy', { blockchainID: l1.chain.id })).toEqual({
      subnetID: l1.subnetId,
    })
    expect((await platform().call('platform.getSubnet', { subnetID: l1.subnetId })).managerChainID).toEqual(
      l1.chain.id,
    )
    const { validators } = await platform().call('platform.getCurrentValidators', { subnetID: l1.subnetId })
    expect(
      validators
        .map((entry) => ('balance' in entry ? entry.balance > 0n : undefined))
        .filter((active) => !active),
    ).toHaveLength(1)
    const validationId = ValidationId.initial(l1.subnetId, 0)
    expect(
      (await platform().call('platform.getL1Validator', { validationID: validationId })).subnetID,
    ).toEqual(l1.subnetId)
  })

  test.each([
    [
      'platform.getAllValidatorsAt',
      { height: 999n },
      /^failed to get validator sets at 999: .*current P-chain height \(\d+\) < requested P-Chain height \(999\)$/,
    ],
    ['platform.getValidatorsAt', { height: 999n }, /^failed to get validator set at 999: /],
    ['platform.getSubnet', { subnetID: new Uint8Array(32) }, /^the primary network isn't a subnet$/],
    ['platform.getSubnet', { subnetID: new Uint8Array(32).fill(1) }, /^not found$/],
    [
      'platform.validatedBy',
      { blockchainID: new Uint8Array(32).fill(1) },
      /^problem retrieving blockchain ".*": not found$/,
    ],
    [
      'platform.getL1Validator',
      { validationID: new Uint8Array(32) },
      /^fetching L1 validator ".*" failed: not found$/,
    ],
    ['platform.getTx', { txID: new Uint8Array(32) }, /^couldn't get tx: not found$/],
  ] as const)('rejects %s with the same error text as the node', async (method, params, text) => {
    await expect(platform().call(method, params as never)).rejects.toMatchObject({
      code: 'RPC_REMOTE',
      details: { rpcCode: -32000, rpcMessage: expect.stringMatching(text) },
    })
  })

  test('returns validator sets by height, and proposes a block 30 s after the block was accepted', async () => {
    const first = devnet.validators[0]?.nodeId as Uint8Array
    const tip = devnet.state.height
    devnet.advance([{ kind: 'set-primary', nodeId: first, publicKey: null, weight: 0n }])
    const size = async (height: bigint | 'proposed') =>
      (await platform().call('platform.getValidatorsAt', { height })).size
    expect([await size(tip), await size(tip + 1n), await size('proposed')]).toEqual([6, 5, 6])
    timers.offset += 31_000
    expect(await size('proposed')).toBe(5)
    expect((await platform().call('platform.getProposedHeight')).height).toBe(tip + 1n)
  })

  test('starts a new epoch with a higher P-chain height once the proposed height has advanced', async () => {
    const proposer = createClient(ProposerVmMethods, { url: `${devnet.rpcUrl}/ext/bc/C/proposervm` })
    const before = await proposer.call('proposervm.getCurrentEpoch')
    timers.offset += 31_000
    devnet.advance()
    timers.offset += 1_000
    devnet.advance()
    const after = await proposer.call('proposervm.getCurrentEpoch')
    expect(after.number).toBeGreaterThan(before.number)
    expect(after.pChainHeight).toBeGreaterThan(before.pChainHeight)
    expect(after.pChainHeight).toBeLessThan(devnet.state.height)
  })

  test('registers a validator by its message and rejects the same message the second time', () => {
    const message = L1Message.encode({
      type: 'RegisterL1Validator',
      subnetID: l1.subnetId,
      nodeID: devnet.validators[5]?.nodeId as Uint8Array,
      blsPublicKey: devnet.validators[5]?.publicKey as Uint8Array,
      expiry: devnet.state.time + 3600n,
      remainingBalanceOwner: { threshold: 0, addresses: [] },
      disableOwner: { threshold: 0, addresses: [] },
      weight: 50n,
    })
    const changes = [{ kind: 'register', message, balance: 1n }] as const
    expect(devnet.advance(changes).l1Validators.size).toBe(6)
    const { height } = devnet.state
    expect(() => devnet.advance(changes)).toThrow(expect.objectContaining({ code: 'DEVNET_CHANGE' }))
    expect(devnet.state.height).toBe(height)
  })
})

describe('admin', () => {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${devnet.rpcUrl}/devnet/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  }

  test('accepts messages through POST /devnet/messages', async () => {
    const { json } = await post('messages', { chain: 'C', payload: '0x6869' })
    const message = Hex.decode(json['message'] as `0x${string}`)
    expect(json['messageID']).toBe(Id.format(Id.hash(message)))
    expect((await post('messages', { chain: l1.name, message: json['message'] })).json['message']).toBe(
      json['message'],
    )
    expect(await post('messages', { chain: 'Q', payload: '0x' })).toMatchObject({
      status: 400,
      json: { code: 'DEVNET_UNKNOWN' },
    })
  })

  test('rejects admin requests from callers that are not on loopback', () => {
    const refusal = (remoteAddress: string) => {
      const statuses: number[] = []
      const socket = { remoteAddress }
      const request = { method: 'GET', httpVersionMajor: 1, headers: {}, socket, on: () => undefined }
      const response = { writeHead: (status: number) => statuses.push(status), end: () => undefined }
      const exchange = {
        request,
        response,
        headers: [],
        bodies: { held: 0 },
        budget: CallerLimits.UNLIMITED,
      } as unknown
      createAdmin(devnet)('/devnet')?.handle(exchange as Exchange.Exchange)
      return statuses[0]
    }
    expect(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1'].map(refusal)).toEqual([
      undefined,
      undefined,
      undefined,
      403,
    ])
  })

  test('sets and clears faults through POST /devnet/faults', async () => {
    expect((await post('faults', { faults: { 2: 'silent' } })).json).toEqual({
      faults: { 2: { kind: 'silent' } },
    })
    expect(devnet.validators[2]?.fault).toEqual({ kind: 'silent' })
    expect((await post('faults', { clear: true })).json).toEqual({ faults: {} })
    expect(await post('faults', { faults: { 2: 'sleepy' } })).toMatchObject({
      status: 400,
      json: { code: 'DEVNET_OPTIONS' },
    })
  })

  test('advances the P-chain through POST /devnet/advance and reports the new state', async () => {
    const { height } = devnet.state
    const change = { kind: 'set-primary', node: 1, weight: '123' }
    expect((await post('advance', { blocks: 2, changes: [change] })).json['height']).toBe(String(height + 2n))
    const epoch = (await post('advance', { seconds: 60 })).json['epoch'] as { readonly number: string }
    const next = (await post('advance', { seconds: 30 })).json['epoch'] as { readonly number: string }
    expect(BigInt(next.number)).toBe(BigInt(epoch.number) + 1n)
    expect(await post('advance', { seconds: -1 })).toMatchObject({ status: 400 })
    const description = (await (await fetch(`${devnet.rpcUrl}/devnet`)).json()) as {
      readonly validators: readonly { readonly weight: string }[]
    }
    expect(description.validators[1]?.weight).toBe('123')
    const { json } = await post('transactions', { tx: '0x0102' })
    expect(
      await platform().call('platform.getTx', { txID: Id.parse(json['txID'] as string), encoding: 'hexnc' }),
    ).toEqual({ tx: '0x0102', encoding: 'hexnc' })
  })
})
