import { Peers } from '@firn/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, plain, type Sdk, said, unordered } from './testing/clients.ts'
import { IDENTITY, IP, PEERS } from './testing/recordedNode.ts'
import { type Replica, startReplica } from './testing/replica.ts'

const L1_SUBNET = '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW'
const PRIMARY = '11111111111111111111111111111111LpoYY'
const EWOQ = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
const K1 = 'local1kucwyn3yc3m3e8saa87922jewhdx3thhp2dde0'
const C_CHAIN = '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC'
const FIXED_CAP = '2uZ6nubhjAj2gQbymQ6sQKP94TdMXHX5mCQL4i92sAKko7P65p'
const VALIDATION = 'qtt7okgXogUVacvsEBugzJGQddPU3K5o5pFYfMQfjFSGqzm39'

let replica: Replica
let client: Sdk
beforeAll(async () => {
  replica = await startReplica({
    configuration: {
      indexEnabled: true,
      apiAdminEnabled: true,
      apiAdminAllowRemote: true,
      trackSubnets: [L1_SUBNET],
    },
    identity: IDENTITY,
    ip: () => IP,
    peers: Peers.fixed({ peers: PEERS, uptime: () => 1 }),
  })
  client = connect(replica.url)
})
afterAll(() => replica.close())

/**
 * Name of a method, a function that calls the method with the client, and the parameters of the recorded
 * call.
 */
type Case = readonly [string, (client: Sdk) => Promise<unknown>, object?]

const testAll = (path: string, cases: readonly Case[], normalize: (answer: unknown) => unknown = plain) => {
  for (const [method, ask, params = {}] of cases)
    test(`returns the recorded answer to ${method} ${JSON.stringify(params)}`, async () => {
      expect(normalize(await ask(client))).toEqual(normalize(said(path, method, params)))
    })
}

describe('P-chain methods', () => {
  const BLOCK = '2R82yrEfwibmvE17JzrQgv9SZvFsMf3BMjtN983uvXD2SCxWNM'
  const TX = '92SfB8KoYbG2djfbJ1tfjKdLTbUYEL49C2LzykJD21NrEktrS'
  testAll('bc/P', [
    ['platform.getHeight', ({ pChain }) => pChain.getHeight()],
    ['platform.getProposedHeight', ({ pChain }) => pChain.getProposedHeight()],
    ['platform.getTimestamp', ({ pChain }) => pChain.getTimestamp()],
    ['platform.getFeeConfig', ({ pChain }) => pChain.getFeeConfig()],
    ['platform.getFeeState', ({ pChain }) => pChain.getFeeState()],
    [
      'platform.getBlock',
      ({ pChain }) => pChain.getBlock({ blockId: BLOCK, encoding: 'hex' }),
      { blockID: BLOCK, encoding: 'hex' },
    ],
    [
      'platform.getBlock',
      ({ pChain }) => pChain.getBlock({ blockId: BLOCK, encoding: 'json' }),
      { blockID: BLOCK, encoding: 'json' },
    ],
    [
      'platform.getBlockByHeight',
      ({ pChain }) => pChain.getBlockByHeight({ height: 9, encoding: 'hex' }),
      { encoding: 'hex', height: 9 },
    ],
    ['platform.getBlockchains', ({ pChain }) => pChain.getBlockchains()],
    [
      'platform.getBlockchainStatus',
      ({ pChain }) => pChain.getBlockchainStatus({ blockchainId: C_CHAIN }),
      { blockchainID: C_CHAIN },
    ],
    ['platform.getCurrentValidators', ({ pChain }) => pChain.getCurrentValidators({})],
    [
      'platform.getCurrentValidators',
      ({ pChain }) => pChain.getCurrentValidators({ subnetID: L1_SUBNET }),
      { subnetID: L1_SUBNET },
    ],
    [
      'platform.getL1Validator',
      ({ pChain }) => pChain.getL1Validator({ validationID: VALIDATION }),
      { validationID: VALIDATION },
    ],
    [
      'platform.getMinStake',
      ({ pChain }) => pChain.getMinStake({ subnetID: PRIMARY }),
      { subnetID: PRIMARY },
    ],
    [
      'platform.getStakingAssetID',
      ({ pChain }) => pChain.getStakingAssetID({ subnetID: PRIMARY }),
      { subnetID: PRIMARY },
    ],
    [
      'platform.getSubnet',
      ({ pChain }) => pChain.getSubnet({ subnetID: L1_SUBNET }),
      { subnetID: L1_SUBNET },
    ],
    [
      'platform.getTotalStake',
      ({ pChain }) => pChain.getTotalStake({ subnetID: PRIMARY }),
      { subnetID: PRIMARY },
    ],
    [
      'platform.getTx',
      ({ pChain }) => pChain.getTx({ txID: TX, encoding: 'json' }),
      { encoding: 'json', txID: TX },
    ],
    ['platform.getTxStatus', ({ pChain }) => pChain.getTxStatus({ txID: TX }), { txID: TX }],
    ['platform.getAllValidatorsAt', ({ pChain }) => pChain.getAllValidatorsAt({ height: 0 }), { height: 0 }],
    [
      'platform.getAllValidatorsAt',
      ({ pChain }) => pChain.getAllValidatorsAt({ height: 'proposed' }),
      { height: 'proposed' },
    ],
    [
      'platform.getValidatorsAt',
      ({ pChain }) => pChain.getValidatorsAt({ height: 85, subnetID: L1_SUBNET }),
      { height: 85, subnetID: L1_SUBNET },
    ],
    [
      'platform.validates',
      ({ pChain }) => pChain.validates({ subnetID: L1_SUBNET }),
      { subnetID: L1_SUBNET },
    ],
    [
      'platform.validatedBy',
      ({ pChain }) => pChain.validatedBy({ blockchainID: C_CHAIN }),
      { blockchainID: C_CHAIN },
    ],
    [
      'platform.getStake',
      ({ pChain }) => pChain.getStake({ addresses: [`P-${EWOQ}`], validatorsOnly: true }),
      { addresses: [`P-${EWOQ}`], validatorsOnly: true },
    ],
    ['platform.sampleValidators', ({ pChain }) => pChain.sampleValidators({ size: 0 }), { size: 0 }],
  ])
  testAll(
    'bc/P',
    [
      [
        'platform.getBalance',
        ({ pChain }) => pChain.getBalance({ addresses: [`P-${K1}`] }),
        { addresses: [`P-${K1}`] },
      ],
      [
        'platform.getUTXOs',
        ({ pChain }) => pChain.getUTXOs({ addresses: [`P-${EWOQ}`] }),
        { addresses: [`P-${EWOQ}`] },
      ],
      [
        'platform.getUTXOs',
        ({ pChain }) => pChain.getUTXOs({ addresses: [`P-${EWOQ}`], sourceChain: 'X' }),
        { addresses: [`P-${EWOQ}`], sourceChain: 'X' },
      ],
      [
        'platform.getRewardUTXOs',
        ({ pChain }) => pChain.getRewardUTXOs({ txID: '2BdSYsgYEvHVri1RMMryUT2FZGqNAZzoTA9YXHPTGfybZCqPgM' }),
        { encoding: 'hex', txID: '2BdSYsgYEvHVri1RMMryUT2FZGqNAZzoTA9YXHPTGfybZCqPgM' },
      ],
    ],
    unordered,
  )

  test('returns the supply of the Primary Network', async () => {
    const { supply } = said('bc/P', 'platform.getCurrentSupply') as { readonly supply: string }
    expect(await client.pChain.getCurrentSupply({})).toEqual({ supply: BigInt(supply) })
    expect(await client.pChain.getCurrentSupply({ subnetId: PRIMARY })).toEqual({ supply: BigInt(supply) })
    await expect(client.pChain.getCurrentSupply({ subnetId: L1_SUBNET })).rejects.toMatchObject({
      details: expect.stringContaining('fetching current supply failed'),
    })
  })

  test('returns subnets by id, and all subnets if no id is given', async () => {
    const sorted = (answer: unknown) =>
      (answer as { subnets: { id: string }[] }).subnets.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const all = await client.pChain.getSubnets({ ids: [] })
    expect(sorted(all)).toEqual(sorted(said('bc/P', 'platform.getSubnets', { ids: [] })))
    const one = await client.pChain.getSubnets({ ids: [L1_SUBNET] })
    expect(one.subnets).toEqual([{ id: L1_SUBNET, controlKeys: [`P-${EWOQ}`], threshold: '1' }])
  })

  test('returns only current validators from sampleValidators', async () => {
    const { validators } = await client.pChain.sampleValidators({ size: 2 })
    const set = said('bc/P', 'platform.getValidatorsAt', { height: 85, subnetID: PRIMARY })
    expect(validators).toHaveLength(2)
    for (const nodeId of validators) expect(Object.keys(set as object)).toContain(nodeId)
  })
})

describe('X-chain methods', () => {
  const BLOCK = '2eko6iJqU4Kdc3bmZcbDmZfxo4zPGjkspNm6oycocSJr4trt8F'
  const TX = 'VzNt6LWx5hiuWvACUMSShMr1u5TSQxBztbNyKDpGaqERauqdp'
  testAll('bc/X', [
    ['avm.getHeight', ({ xChain }) => xChain.getHeight()],
    ['avm.getTxFee', ({ xChain }) => xChain.getTxFee()],
    [
      'avm.getAssetDescription',
      ({ xChain }) => xChain.getAssetDescription({ assetID: FIXED_CAP }),
      { assetID: FIXED_CAP },
    ],
    [
      'avm.getAssetDescription',
      ({ xChain }) => xChain.getAssetDescription({ assetID: 'AVAX' }),
      { assetID: 'AVAX' },
    ],
    [
      'avm.getBlock',
      ({ xChain }) => xChain.getBlock({ blockId: BLOCK, encoding: 'hex' }),
      { blockID: BLOCK, encoding: 'hex' },
    ],
    [
      'avm.getBlockByHeight',
      ({ xChain }) => xChain.getBlockByHeight({ height: 5, encoding: 'json' }),
      { encoding: 'json', height: '5' },
    ],
    ['avm.getTx', ({ xChain }) => xChain.getTx({ txID: TX, encoding: 'hex' }), { encoding: 'hex', txID: TX }],
    [
      'avm.getTx',
      ({ xChain }) => xChain.getTx({ txID: TX, encoding: 'json' }),
      { encoding: 'json', txID: TX },
    ],
    [
      'avm.getTxStatus',
      ({ xChain }) => xChain.getTxStatus({ txID: 'j4ne3fafJExvsaZSvqLjAbYRAwkBcs3uLotmPyeALZnaefL4J' }),
      { txID: 'j4ne3fafJExvsaZSvqLjAbYRAwkBcs3uLotmPyeALZnaefL4J' },
    ],
  ])
  testAll(
    'bc/X',
    [
      [
        'avm.getBalance',
        ({ xChain }) => xChain.getBalance({ address: `X-${EWOQ}`, assetID: 'AVAX' }),
        { address: `X-${EWOQ}`, assetID: 'AVAX' },
      ],
      [
        'avm.getUTXOs',
        ({ xChain }) => xChain.getUTXOs({ addresses: [`X-${EWOQ}`] }),
        { addresses: [`X-${EWOQ}`] },
      ],
    ],
    unordered,
  )
})

test("rejects the client's getAllBalances call, because the client misnames a parameter", async () => {
  await expect(client.xChain.getAllBalances({ addresses: [`X-${K1}`] })).rejects.toMatchObject({
    details: `problem parsing address '': couldn't parse address "": no separator found in address`,
  })
  const asked = { address: `X-${K1}`, addresses: [] }
  const { balances } = await client.xChain.getAllBalances(asked)
  expect(balances).toEqual([{ asset: 'AVAX', balance: 50_000_000_085n }])
})

describe('atomic methods of the C-chain', () => {
  const TX = 'WynSBusCfypnkimqxN5VHdh7TVxvvDHXoKQBsBCkChP65f894'
  testAll('bc/C/avax', [
    [
      'avax.getAtomicTx',
      ({ cChain }) => cChain.getAtomicTx({ txID: TX, encoding: 'hex' }),
      { encoding: 'hex', txID: TX },
    ],
    ['avax.getAtomicTxStatus', ({ cChain }) => cChain.getAtomicTxStatus({ txID: TX }), { txID: TX }],
    [
      'avax.getUTXOs',
      ({ cChain }) => cChain.getUTXOs({ addresses: [`C-${K1}`], sourceChain: 'P' }),
      { addresses: [`C-${K1}`], sourceChain: 'P' },
    ],
    [
      'avax.getUTXOs',
      ({ cChain }) => cChain.getUTXOs({ addresses: [`C-${EWOQ}`], sourceChain: 'X' }),
      { addresses: [`C-${EWOQ}`], sourceChain: 'X' },
    ],
  ])
})

describe('Info methods', () => {
  testAll('info', [
    ['info.acps', ({ info }) => info.acps()],
    ['info.getBlockchainID', ({ info }) => info.getBlockchainID({ alias: 'X' }), { alias: 'X' }],
    ['info.getNetworkID', ({ info }) => info.getNetworkID()],
    ['info.getNetworkName', ({ info }) => info.getNetworkName()],
    ['info.getNodeID', ({ info }) => info.getNodeID()],
    ['info.getNodeIP', ({ info }) => info.getNodeIP()],
    ['info.getTxFee', ({ info }) => info.getTxFee()],
    ['info.isBootstrapped', ({ info }) => info.isBootstrapped({ chain: 'X' }), { chain: 'X' }],
    ['info.upgrades', ({ info }) => info.upgrades()],
  ])

  test('returns the uptime in percent', async () => {
    const { rewardingStakePercentage, weightedAveragePercentage } = await client.info.uptime()
    expect(Number(rewardingStakePercentage)).toBeGreaterThanOrEqual(0)
    expect(Number(weightedAveragePercentage)).toBeLessThanOrEqual(100)
  })
})
