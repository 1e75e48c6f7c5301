import { Peers } from '@firn/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as AvalancheJs from './testing/avalancheJs.ts'
import { plain, said, unordered } from './testing/clients.ts'
import { IDENTITY, IP, PEERS } from './testing/recordedNode.ts'
import { type Replica, startReplica } from './testing/replica.ts'

const L1_SUBNET = '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW'
const PRIMARY = '11111111111111111111111111111111LpoYY'
const EWOQ = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
const K1 = 'local1kucwyn3yc3m3e8saa87922jewhdx3thhp2dde0'
const C_CHAIN = '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC'
const K5 = 'local1hkdwcytldvdf3tenl9pa4agvcfwtqlhkczlwys'
const AVAX = '2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe'

let replica: Replica
let P: AvalancheJs.PlatformApi
let X: AvalancheJs.AvmApi
let C: AvalancheJs.EvmApi
let node: AvalancheJs.InfoApi
beforeAll(async () => {
  replica = await startReplica({
    configuration: { trackSubnets: [L1_SUBNET] },
    identity: IDENTITY,
    ip: () => IP,
    peers: Peers.fixed({ peers: PEERS, uptime: () => 1 }),
  })
  P = new AvalancheJs.pvm.PVMApi(replica.url)
  X = new AvalancheJs.avm.AVMApi(replica.url)
  C = new AvalancheJs.evm.EVMApi(replica.url)
  node = new AvalancheJs.info.InfoApi(replica.url)
})
afterAll(() => replica.close())

/**
 * Name of a method, a function that calls the method with the client, and the parameters of the recorded
 * call.
 */
type Case = readonly [method: string, ask: () => Promise<unknown>, params?: object]

const testAll = (path: string, cases: readonly Case[], normalize: (answer: unknown) => unknown = plain) => {
  for (const [method, ask, params = {}] of cases)
    test(`returns the recorded answer to ${method} ${JSON.stringify(params)}`, async () => {
      expect(normalize(await ask())).toEqual(normalize(said(path, method, params)))
    })
}

const { utils } = AvalancheJs

/**
 * Serializes a parsed transaction or UTXO as a node does. The comparison with the node's bytes proves that
 * the client parsed all of it.
 */
const hexOf = (vm: 'AVM' | 'PVM' | 'EVM', parsed: AvalancheJs.Parsed) => {
  const bytes = parsed.toBytes(utils.getManagerForVM(vm).getDefaultCodec())
  return utils.bufferToHex(utils.addChecksum(utils.concatBytes(new Uint8Array(2), bytes)))
}

/** Serializes a parsed transaction, whose bytes already include the codec version. */
const hexOfTx = (parsed: AvalancheJs.Parsed) => utils.bufferToHex(utils.addChecksum(parsed.toBytes()))

describe('P-chain methods', () => {
  const TX = '92SfB8KoYbG2djfbJ1tfjKdLTbUYEL49C2LzykJD21NrEktrS'
  const VALIDATION = 'qtt7okgXogUVacvsEBugzJGQddPU3K5o5pFYfMQfjFSGqzm39'
  testAll('bc/P', [
    ['platform.getHeight', () => P.getHeight()],
    ['platform.getTimestamp', () => P.getTimestamp()],
    ['platform.getCurrentSupply', () => P.getCurrentSupply()],
    ['platform.getFeeState', () => P.getFeeState()],
    ['platform.getMinStake', () => P.getMinStake(), { subnetID: PRIMARY }],
    ['platform.getBlockchains', () => P.getBlockchains()],
    ['platform.getBlockchainStatus', () => P.getBlockchainStatus(C_CHAIN), { blockchainID: C_CHAIN }],
    ['platform.getCurrentValidators', () => P.getCurrentValidators()],
    [
      'platform.getCurrentValidators',
      () => P.getCurrentValidators({ subnetID: L1_SUBNET }),
      { subnetID: L1_SUBNET },
    ],
    ['platform.getStakingAssetID', () => P.getStakingAssetID({ subnetID: PRIMARY }), { subnetID: PRIMARY }],
    ['platform.getSubnet', () => P.getSubnet({ subnetID: L1_SUBNET }), { subnetID: L1_SUBNET }],
    ['platform.getTotalStake', () => P.getTotalStake(PRIMARY), { subnetID: PRIMARY }],
    ['platform.getTxStatus', () => P.getTxStatus({ txID: TX }), { txID: TX }],
    ['platform.getTx', () => P.getTxJson({ txID: TX }), { encoding: 'json', txID: TX }],
    [
      'platform.getValidatorsAt',
      () => P.getValidatorsAt({ height: 85, subnetID: L1_SUBNET }),
      { height: 85, subnetID: L1_SUBNET },
    ],
    ['platform.validatedBy', () => P.validatedBy({ blockchainID: C_CHAIN }), { blockchainID: C_CHAIN }],
    ['platform.validates', () => P.validates({ subnetID: L1_SUBNET }), { subnetID: L1_SUBNET }],
    ['platform.sampleValidators', () => P.sampleValidators({ size: 0 }), { size: 0 }],
  ])
  test('returns an AVAX balance', async () => {
    const addresses = [`P-${K1}`]
    const {
      balance,
      unlocked,
      lockedStakeable,
      lockedNotStakeable,
      utxoIDs: utxoIds,
    } = said('bc/P', 'platform.getBalance', { addresses }) as Readonly<Record<string, string>>
    expect(unordered(await P.getBalance({ addresses }))).toEqual(
      unordered({ balance, unlocked, lockedStakeable, lockedNotStakeable, utxoIDs: utxoIds }),
    )
  })

  test('returns the fee configuration with named weights', async () => {
    const { weights, ...rest } = said('bc/P', 'platform.getFeeConfig') as {
      readonly weights: readonly number[]
    }
    const config = await P.getFeeConfig()
    expect(Object.values(config.weights)).toEqual(weights)
    expect(plain({ ...config, weights: [] })).toEqual(plain({ ...rest, weights: [] }))
  })

  test('returns subnets by id', async () => {
    const subnets = [{ id: L1_SUBNET, controlKeys: [`P-${EWOQ}`], threshold: '1' }]
    expect(await P.getSubnets({ ids: [L1_SUBNET] })).toEqual({ subnets })
  })

  test('returns an L1 validator whose owners the client can parse', async () => {
    const recorded = said('bc/P', 'platform.getL1Validator', { validationID: VALIDATION }) as {
      readonly deactivationOwner: { readonly addresses: readonly string[] }
      readonly remainingBalanceOwner: { readonly addresses: readonly string[] }
    } & Readonly<Record<string, string>>
    const { deactivationOwner, remainingBalanceOwner, ...rest } = await P.getL1Validator(VALIDATION)
    const {
      nodeID: nodeId,
      weight,
      startTime,
      publicKey,
      balance,
      minNonce,
      height,
      subnetID: subnetId,
    } = recorded
    expect(plain(rest)).toEqual({
      nodeID: nodeId,
      weight,
      startTime,
      publicKey,
      balance,
      minNonce,
      height,
      subnetID: subnetId,
    })
    const names = (owner: typeof deactivationOwner) =>
      owner.addresses.map((address) => `P-${address.toString('local')}`)
    expect(names(deactivationOwner)).toEqual(recorded.deactivationOwner.addresses)
    expect(names(remainingBalanceOwner)).toEqual(recorded.remainingBalanceOwner.addresses)
  })

  test('returns a transaction with the bytes of the recorded node', async () => {
    const parsed = await P.getTx({ txID: TX })
    const { tx } = said('bc/P', 'platform.getTx', { encoding: 'hex', txID: TX }) as { readonly tx: string }
    expect(hexOfTx(parsed)).toBe(tx)
  })

  test('returns UTXOs byte for byte, including reward UTXOs', async () => {
    const addresses = [`P-${EWOQ}`]
    const { utxos, ...rest } = await P.getUTXOs({ addresses })
    const parsed = { ...rest, utxos: utxos.map((utxo) => hexOf('PVM', utxo)) }
    expect(unordered(parsed)).toEqual(unordered(said('bc/P', 'platform.getUTXOs', { addresses })))
    const txId = '2BdSYsgYEvHVri1RMMryUT2FZGqNAZzoTA9YXHPTGfybZCqPgM'
    const rewards = await P.getRewardUTXOs({ txID: txId })
    expect({ ...rewards, utxos: rewards.utxos.map((utxo) => hexOf('PVM', utxo)) }).toEqual(
      said('bc/P', 'platform.getRewardUTXOs', { encoding: 'hex', txID: txId }),
    )
  })

  test('returns staked outputs with the bytes of the recorded node', async () => {
    const addresses = [`P-${EWOQ}`]
    const { staked, stakedOutputs } = await P.getStake({ addresses })
    const recorded = said('bc/P', 'platform.getStake', { addresses, encoding: 'hex' }) as {
      readonly staked: string
      readonly stakedOutputs: readonly string[]
    }
    expect(staked).toBe(BigInt(recorded.staked))
    expect(stakedOutputs.map((output) => hexOf('PVM', output)).sort()).toEqual(
      [...recorded.stakedOutputs].sort(),
    )
  })

  test('rejects methods that the node has removed', async () => {
    const missing = (name: string) => `rpc: can't find method "platform.${name}"`
    const period = { startTime: '1', endTime: '2' }
    await expect(P.getPendingValidators()).rejects.toThrow(missing('GetPendingValidators'))
    await expect(P.getMaxStakeAmount({ nodeID: 'NodeID-1', ...period })).rejects.toThrow(
      missing('GetMaxStakeAmount'),
    )
    await expect(P.getAssetDescription(AVAX)).rejects.toThrow(missing('GetAssetDescription'))
    await expect(P.getAddressTxs({ address: `P-${EWOQ}`, assetID: AVAX })).rejects.toThrow(
      'method must start with a non-uppercase letter',
    )
  })
})

describe('X-chain methods', () => {
  const TX = 'j4ne3fafJExvsaZSvqLjAbYRAwkBcs3uLotmPyeALZnaefL4J'
  testAll('bc/X', [
    ['avm.getTxFee', () => X.getTxFee()],
    ['avm.getAssetDescription', () => X.getAssetDescription('AVAX'), { assetID: 'AVAX' }],
    ['avm.getAllBalances', () => X.getAllBalances({ address: `X-${K1}` }), { address: `X-${K1}` }],
    ['avm.getTx', () => X.getTxJson({ txID: TX }), { encoding: 'json', txID: TX }],
    ['avm.getTxStatus', () => X.getTxStatus({ txID: TX }), { txID: TX }],
  ])

  test('returns the balance of an asset', async () => {
    const asked = { address: `X-${EWOQ}`, assetID: 'AVAX' }
    const answer = await X.getBalance(asked as never)
    expect(unordered(answer)).toEqual(unordered(said('bc/X', 'avm.getBalance', asked)))
  })

  test('returns a transaction with the bytes of the recorded node', async () => {
    const { tx } = said('bc/X', 'avm.getTx', { encoding: 'hex', txID: TX }) as { readonly tx: string }
    expect(hexOfTx(await X.getTx({ txID: TX }))).toBe(tx)
  })

  test('returns UTXOs byte for byte, including property outputs, which the client cannot parse', async () => {
    await expect(X.getUTXOs({ addresses: [`X-${EWOQ}`] })).rejects.toThrow('unknown type ID 15')
    const addresses = [`X-${K5}`]
    const { utxos, ...rest } = await X.getUTXOs({ addresses })
    expect(unordered({ ...rest, utxos: utxos.map((utxo) => hexOf('AVM', utxo)) })).toEqual(
      unordered(said('bc/X', 'avm.getUTXOs', { addresses })),
    )
  })

  test('rejects buildGenesis, which the node has removed', async () => {
    await expect(X.buildGenesis({ genesisData: {} })).rejects.toThrow(`can't find method "avm.BuildGenesis"`)
  })
})

describe('atomic methods of the C-chain', () => {
  const TX = 'WynSBusCfypnkimqxN5VHdh7TVxvvDHXoKQBsBCkChP65f894'
  testAll('bc/C/avax', [['avax.getAtomicTxStatus', () => C.getAtomicTxStatus(TX), { txID: TX }]])

  test('returns a transaction with the bytes of the recorded node', async () => {
    const { tx, blockHeight } = said('bc/C/avax', 'avax.getAtomicTx', { encoding: 'hex', txID: TX }) as {
      readonly tx: string
      readonly blockHeight: string
    }
    const answer = await C.getAtomicTx({ txID: TX })
    expect(hexOfTx(answer.tx)).toBe(tx)
    expect(answer.blockHeight).toBe(BigInt(blockHeight))
  })

  test('returns importable UTXOs with the bytes of the recorded node', async () => {
    const asked = { addresses: [`C-${K1}`], sourceChain: 'P' }
    const { utxos, ...rest } = await C.getUTXOs(asked)
    expect(unordered({ ...rest, utxos: utxos.map((utxo) => hexOf('EVM', utxo)) })).toEqual(
      unordered(said('bc/C/avax', 'avax.getUTXOs', asked)),
    )
  })
})

describe('Info methods', () => {
  testAll('info', [
    ['info.getBlockchainID', () => node.getBlockchainId('X'), { alias: 'X' }],
    ['info.getNetworkID', () => node.getNetworkId()],
    ['info.getNetworkName', () => node.getNetworkName()],
    ['info.getNodeID', () => node.getNodeId()],
    ['info.getNodeIP', () => node.getNodeIp()],
    ['info.upgrades', () => node.getUpgradesInfo()],
  ])

  test('returns VMs and versions, without the plugin that is not installed on this node', async () => {
    const { srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy: _plugin, ...vms } = (
      said('info', 'info.getVMs') as { readonly vms: Readonly<Record<string, readonly string[]>> }
    ).vms
    expect(await node.getVMs()).toMatchObject({ vms })
    expect(await node.getNodeVersion()).toMatchObject({
      version: 'avalanchego/1.15.0',
      databaseVersion: 'v1.4.5',
      rpcProtocolVersion: '46',
    })
  })

  test('returns the requested peers, and all peers for isBootstrapped, which the client sends as info.peers', async () => {
    const nodeIds = ['NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ']
    expect(await node.peers(nodeIds)).toMatchObject({ numPeers: '1', peers: [{ nodeID: nodeIds[0] }] })
    expect(await node.peers()).toMatchObject({ numPeers: '6' })
    expect(await node.isBootstrapped('X')).toMatchObject({ numPeers: '6' })
    expect(await node.uptime()).toMatchObject({
      rewardingStakePercentage: expect.stringMatching(/^\d+\.\d{4}$/),
    })
  })
})
