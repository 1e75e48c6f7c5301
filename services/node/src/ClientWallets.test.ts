import { createAvalancheWalletClient } from '@avalanche-sdk/client'
import { privateKeyToAvalancheAccount } from '@avalanche-sdk/client/accounts'
import { avalancheLocal } from '@avalanche-sdk/client/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addTxSignatures,
  avm,
  type BaseTx,
  Context,
  evm,
  pvm,
  TransferableOutput,
  type UnsignedTx,
  utils,
} from './testing/avalancheJs.ts'
import { connect as connectTo, said } from './testing/clients.ts'
import { type Replica, startReplica } from './testing/replica.ts'

/** The publicly known private key of the address that owns the funds in the local network's genesis. */
const KEY = '0x56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027'
const EWOQ = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
const K5_KEY = '0xff579c06b787f55d507e942d5b8034c494fafdcea21255a911cfa46194921e16'
const K5 = 'local1hkdwcytldvdf3tenl9pa4agvcfwtqlhkczlwys'
const K1 = 'local1kucwyn3yc3m3e8saa87922jewhdx3thhp2dde0'
const AVAX = '2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe'
const VALIDATION = 'qtt7okgXogUVacvsEBugzJGQddPU3K5o5pFYfMQfjFSGqzm39'
const SUBNET = '2Kvoq4myymT8tiUXPSc3ya67quhhbin4kbjgaDkABAc548jazt'
const AMOUNT = 1_000_000_000n

const CONTEXT = {
  networkID: 12345,
  hrp: 'local',
  avaxAssetID: AVAX,
  pBlockchainID: '11111111111111111111111111111111LpoYY',
  xBlockchainID: '2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed',
  cBlockchainID: '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC',
  baseTxFee: 1_000_000n,
  createAssetTxFee: 1_000_000n,
  platformFeeConfig: { maxCapacity: 1_000_000n, targetPerSecond: 50_000n, minPrice: 1n },
}

let replica: Replica
beforeAll(async () => {
  replica = await startReplica()
})
afterAll(() => replica.close())

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

/** Returns the amount that a transaction burns: its inputs minus its outputs. */
const burned = ({ baseTx }: BaseTx) =>
  sum(baseTx.inputs.map((input) => input.amount())) - sum(baseTx.outputs.map((output) => output.amount()))

const sign = (unsignedTx: UnsignedTx, key: string) =>
  addTxSignatures({ unsignedTx, privateKeys: [utils.hexToBuffer(key)] })

describe('avalanchejs', () => {
  test('returns the network data that avalanchejs needs for its context', async () => {
    expect(await Context.getContextFromURI(replica.url)).toMatchObject(CONTEXT)
  })

  test('provides UTXOs and fees from which avalanchejs builds a P-chain transfer', async () => {
    const context = await Context.getContextFromURI(replica.url)
    const api = new pvm.PVMApi(replica.url)
    const { utxos } = await api.getUTXOs({ addresses: [`P-${EWOQ}`] })
    const [feeState, feeConfig] = [await api.getFeeState(), await api.getFeeConfig()]
    const fromAddressesBytes = [utils.bech32ToBytes(`P-${EWOQ}`)]
    const outputs = [TransferableOutput.fromNative(AVAX, AMOUNT, [utils.bech32ToBytes(`P-${K1}`)])]
    const unsigned = pvm.newBaseTx({ feeState, fromAddressesBytes, outputs, utxos }, context)
    const tx = unsigned.getTx()
    expect(tx.baseTx.outputs.map((output) => output.amount())).toContain(AMOUNT)
    expect(burned(tx)).toBe(pvm.calculateFee(tx, feeConfig.weights, feeState.price))
    await sign(unsigned, KEY)
    expect(unsigned.hasAllSignatures()).toBe(true)
  })

  test('provides UTXOs from which avalanchejs builds an X-chain transfer', async () => {
    const context = await Context.getContextFromURI(replica.url)
    const { utxos } = await new avm.AVMApi(replica.url).getUTXOs({ addresses: [`X-${K5}`] })
    const outputs = [TransferableOutput.fromNative(AVAX, 5_000n, [utils.bech32ToBytes(`X-${K1}`)])]
    const unsigned = avm.newBaseTx(context, [utils.bech32ToBytes(`X-${K5}`)], utxos, outputs)
    const tx = unsigned.getTx()
    expect(burned(tx)).toBe(1_000_000n)
    await sign(unsigned, K5_KEY)
    expect(unsigned.hasAllSignatures()).toBe(true)
  })
})

describe('wallet of @avalanche-sdk/client', () => {
  const connect = () =>
    createAvalancheWalletClient({
      account: privateKeyToAvalancheAccount(KEY),
      chain: avalancheLocal,
      transport: { type: 'http', url: `${replica.url}/ext/bc/C/rpc`, config: { retryCount: 0 } },
    })
  const own = { fromAddresses: [`P-${EWOQ}`] }

  test('lets the wallet prepare and sign a P-chain transfer', async () => {
    const wallet = connect()
    const prepared = await wallet.pChain.prepareBaseTxn({
      ...own,
      outputs: [{ addresses: [`P-${K1}`], amount: AMOUNT }],
    })
    expect((prepared.baseTx as BaseTx).baseTx.outputs.map((output) => output.amount())).toContain(AMOUNT)
    expect(prepared.baseTx.getBlockchainId()).toBe(CONTEXT.pBlockchainID)
    expect(burned(prepared.baseTx)).toBeGreaterThan(0n)
    const signed = await wallet.signXPTransaction({ tx: prepared.tx, chainAlias: 'P' })
    expect(signed.signatures).not.toEqual([])
  })

  test('lets the wallet prepare transactions that require earlier calls to other P-chain methods', async () => {
    const wallet = connect()
    const subnet = await wallet.pChain.prepareCreateSubnetTxn({
      ...own,
      subnetOwners: { addresses: [`P-${EWOQ}`], threshold: 1 },
    })
    expect(subnet.createSubnetTx.getSubnetOwners().threshold.value()).toBe(1)
    const chain = await wallet.pChain.prepareCreateChainTxn({
      ...own,
      subnetId: SUBNET,
      vmId: 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy',
      chainName: 'one more',
      genesisData: {},
      fxIds: [],
      subnetAuth: [0],
    })
    expect(
      chain.subnetOwners?.addresses.map((address: { toString(hrp: string): string }) =>
        address.toString('local'),
      ),
    ).toEqual([EWOQ])
    const raised = await wallet.pChain.prepareIncreaseL1ValidatorBalanceTxn({
      ...own,
      balanceInAvax: AMOUNT,
      validationId: VALIDATION,
    })
    expect(raised.increaseL1ValidatorBalanceTx.validationId.toString()).toBe(VALIDATION)
    const disabled = await wallet.pChain.prepareDisableL1ValidatorTxn({
      ...own,
      validationId: VALIDATION,
      disableAuth: [0],
    })
    expect(disabled.disableOwners.addresses.length).toBe(1)
  })

  test('lets the wallet prepare an X-chain transfer', async () => {
    const { baseTx } = await connect().xChain.prepareBaseTxn({
      fromAddresses: [`X-${K5}`],
      outputs: [{ addresses: [`X-${K1}`], amount: 5_000n }],
    })
    expect(burned(baseTx)).toBe(1_000_000n)
  })

  test('rejects an export on a network with chain ids that the client does not know', async () => {
    const asked = { exportedOutputs: [{ addresses: [`C-${K1}`], amount: AMOUNT }] }
    await expect(
      connect().pChain.prepareExportTxn({ ...own, destinationChain: 'C', ...asked }),
    ).rejects.toThrow('Invalid network ID: 12345')
  })

  test('reports transactions of all three chains as accepted', async () => {
    const wallet = connect()
    const txns = [
      ['P', '92SfB8KoYbG2djfbJ1tfjKdLTbUYEL49C2LzykJD21NrEktrS'],
      ['X', 'j4ne3fafJExvsaZSvqLjAbYRAwkBcs3uLotmPyeALZnaefL4J'],
      ['C', 'WynSBusCfypnkimqxN5VHdh7TVxvvDHXoKQBsBCkChP65f894'],
    ] as const
    const once = { sleepTime: 0, maxRetries: 1 }
    for (const [chainAlias, txHash] of txns) await wallet.waitForTxn({ chainAlias, txHash, ...once })
    const [, txHash] = txns[1]
    await expect(wallet.waitForTxn({ chainAlias: 'P', txHash, ...once })).rejects.toThrow('not found')
  })
})

test('forwards calls to methods that only a full node can serve', async () => {
  const results: Readonly<Record<string, unknown>> = {
    eth_baseFee: '0x5d21dba00',
    'platform.issueTx': { txID: '92SfB8KoYbG2djfbJ1tfjKdLTbUYEL49C2LzykJD21NrEktrS' },
  }
  const asked: string[] = []
  const upstream = async (url: unknown, init?: { readonly body?: unknown }) => {
    const text = await new Response(init?.body as string).text()
    const { id, method } = JSON.parse(text) as { readonly id: number; readonly method: string }
    asked.push(`${new URL(String(url)).pathname} ${method}`)
    return Response.json({ jsonrpc: '2.0', id, result: results[method] })
  }
  const passing = await startReplica({
    configuration: { upstream: ['http://127.0.0.1:9'] },
    fetch: upstream as typeof fetch,
  })
  try {
    expect(await new evm.EVMApi(passing.url).getBaseFee()).toBe(25_000_000_000n)
    expect(await connectTo(passing.url).baseFee()).toBe('0x5d21dba00')
    const txId = '92SfB8KoYbG2djfbJ1tfjKdLTbUYEL49C2LzykJD21NrEktrS'
    const { tx } = said('bc/P', 'platform.getTx', { encoding: 'hex', txID: txId }) as { readonly tx: string }
    expect(await connectTo(passing.url).pChain.issueTx({ tx, encoding: 'hex' })).toEqual(
      results['platform.issueTx'],
    )
    expect(asked).toEqual(expect.arrayContaining(['/ext/bc/C/rpc eth_baseFee', '/ext/bc/P platform.issueTx']))
  } finally {
    await passing.close()
  }
})
