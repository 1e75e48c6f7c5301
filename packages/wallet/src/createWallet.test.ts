import { SecretKey, Signature, Signer } from '@firn/bls'
import { Address, Bytes, CheckedHex, Hex, Id, NodeId } from '@firn/codec'
import { createDevnet, type Devnet, FundedWallet } from '@firn/devnet'
import { PrivateKey, PublicKey, Signature as SecpSignature } from '@firn/keys'
import { createClient, PlatformMethods } from '@firn/rpc'
import { Signing } from '@firn/txs'
import { L1Message, Payload, SignedMessage, UnsignedMessage } from '@firn/warp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accountSigner,
  avax,
  createWallet,
  Drafts,
  formatAvax,
  keySigner,
  type Provider,
  providerSigner,
  type Step,
  type Wallet,
} from './index.ts'

const DAY = 86_400n

/** Milliseconds by which the network's time is ahead. */
let ahead = 0
const now = () => Date.now() + ahead
const seconds = () => BigInt(Math.floor(now() / 1_000))

let devnet: Devnet
let wallet: Wallet

beforeAll(async () => {
  devnet = await createDevnet({
    validators: 2,
    networkId: 54_321,
    buildBlocks: true,
    buildDelayMs: 1,
    proposedLagMs: 0,
    now,
  })
  await devnet.warm()
  wallet = createWallet({ url: devnet.rpcUrl, keys: [FundedWallet.KEY] })
})

afterAll(async () => {
  await devnet?.close()
})

describe('createWallet', () => {
  test('transfers on the P-chain and reports each step', async () => {
    const steps: string[] = []
    const onStep = ({ name }: Step) => void steps.push(name)
    const before = await wallet.balance('P')
    const { txId } = await wallet.p.transfer({ to: addressOf(5), amount: avax('1.5') }, { onStep })
    expect(Id.parse(txId)).toHaveLength(32)
    expect(steps).toEqual(['built', 'signed', 'issued', 'accepted'])
    const spent = before.available - (await wallet.balance('P')).available
    expect(spent).toBeGreaterThan(avax('1.5'))
    expect(spent).toBeLessThan(avax('1.51'))
  })

  test('pays several owners in one transaction, some with locks', async () => {
    const { unsignedTx } = await wallet.p.build.transfer([
      { to: { threshold: 2, addresses: [addressOf(6), addressOf(5)] }, amount: 1n },
      { to: addressOf(7), amount: 2n, lock: 4_000_000_000n },
    ])
    const outputs = 'outputs' in unsignedTx ? unsignedTx.outputs : []
    expect(outputs.map(({ output }) => output.type).toSorted()).toEqual([
      'LockOut',
      'TransferOutput',
      'TransferOutput',
    ])
  })

  test('moves AVAX from the P-chain to the C-, X- and P-chain', async () => {
    const { available } = await wallet.balance('C')
    await wallet.p.exportTo({ chain: 'C', amount: avax('5') })
    await wallet.c.importFrom({ chain: 'P' })
    const imported = (await wallet.balance('C')).available - available
    expect(Number(formatAvax(imported))).toBeCloseTo(5, 2)
    await wallet.c.exportTo({ chain: 'X', amount: avax('3') })
    await wallet.x.importFrom({ chain: 'C' })
    await wallet.x.exportTo({ chain: 'P', amount: avax('2') })
    const before = await wallet.balance('P')
    await wallet.p.importFrom({ chain: 'X' })
    const received = (await wallet.balance('P')).available - before.available
    expect(Number(formatAvax(received))).toBeCloseTo(2, 2)
  })

  test('delegates to a validator', async () => {
    const [{ nodeId }] = devnet.validators as [Devnet['validators'][number]]
    const end = seconds() + 14n * DAY
    const stake = avax('25')
    const { txId } = await wallet.p.delegate({ nodeId, stake, end, rewardsTo: addressOf(5) })
    const platform = createClient(PlatformMethods, { url: `${devnet.rpcUrl}/ext/bc/P` })
    const found = await platform.call('platform.getCurrentValidators', { nodeIDs: [nodeId] })
    const delegators = found.validators.flatMap((one) => ('delegators' in one ? (one.delegators ?? []) : []))
    expect(delegators.map(({ txID: id, weight }) => [Id.format(id), weight])).toEqual([[txId, stake]])
  })

  test('creates a subnet with a chain, converts it into an L1, and manages its validators', async () => {
    const { subnetId } = await wallet.p.createSubnet({})
    const { blockchainId } = await wallet.p.createChain({
      subnetId,
      name: 'trial',
      vmId: Bytes.concat(new TextEncoder().encode('trial'), new Uint8Array(27)),
      genesis: '0x7b7d',
    })
    const [first, second] = [blsKey(1), blsKey(2)]
    const managerAddress = `0x${'ab'.repeat(20)}`
    const { validationIds } = await wallet.p.convertToL1({
      subnetId,
      chainId: blockchainId,
      managerAddress,
      validators: [{ nodeId: nodeIdOf(1), weight: 100n, balance: avax('1'), signer: first.signer }],
    })
    expect(validationIds).toHaveLength(1)
    // Messages are verified with the validators at the start of the epoch before the last block.
    for (let epochs = 0; epochs < 2; epochs++) {
      ahead += 600_000
      await wallet.p.transfer({ to: addressOf(5), amount: 1n })
    }
    const sign = (message: L1Message.L1Message) => signedBy(first.key, blockchainId, managerAddress, message)
    const owner = { threshold: 1, addresses: [FundedWallet.ADDRESS] }
    const { validationId } = await wallet.p.registerL1Validator({
      message: sign({
        type: 'RegisterL1Validator',
        subnetID: Id.parse(subnetId),
        nodeID: NodeId.parse(nodeIdOf(2)),
        blsPublicKey: Hex.decode(second.signer.publicKey),
        expiry: seconds() + 3_600n,
        remainingBalanceOwner: owner,
        disableOwner: owner,
        weight: 20n,
      }),
      proofOfPossession: second.signer.proofOfPossession,
      balance: avax('1'),
    })
    await wallet.p.increaseBalance({ validationId, balance: avax('0.5') })
    await wallet.p.setL1ValidatorWeight({
      message: sign({
        type: 'L1ValidatorWeight',
        validationID: Id.parse(validationId),
        nonce: 0n,
        weight: 30n,
      }),
    })
    const platform = createClient(PlatformMethods, { url: `${devnet.rpcUrl}/ext/bc/P` })
    const validator = () => platform.call('platform.getL1Validator', { validationID: Id.parse(validationId) })
    expect(await validator()).toMatchObject({ weight: 30n })
    expect((await validator()).balance).toBeGreaterThan(avax('1.49'))
    await wallet.p.disable({ validationId })
    expect((await validator()).balance).toBe(0n)
    await expect(wallet.p.disable({ validationId })).rejects.toThrow(
      `the L1 validator ${validationId} is inactive already; deactivating it again would only cost a fee`,
    )
    const unknown = Id.format(new Uint8Array(32).fill(9))
    const missing = `There is no L1 validator with the validation id ${unknown}.`
    for (const work of [
      () => wallet.p.disable({ validationId: unknown }),
      () => wallet.p.increaseBalance({ validationId: unknown, balance: 1n }),
    ])
      await expect(work()).rejects.toMatchObject({
        code: 'WALLET_INPUT',
        message: expect.stringContaining(missing),
      })
    for (const message of [undefined, null, 5, '', '0x00', new Uint8Array(3)])
      for (const work of [
        () => wallet.p.setL1ValidatorWeight({ message: message as string }),
        () =>
          wallet.p.registerL1Validator({ message: message as string, proofOfPossession: '0x', balance: 1n }),
      ])
        await expect(work()).rejects.toMatchObject({
          code: 'WALLET_INPUT',
          message: expect.stringContaining('message: expected a signed Warp message'),
        })
  })

  test('changes the owner of a subnet, whose new owner alone may change its validators', async () => {
    const other = PrivateKey.decode(new Uint8Array(32).fill(9))
    const [to] = [Address.format({ chain: 'P', hrp: 'custom', payload: addressOfKey(other) })]
    const { subnetId } = await wallet.p.createSubnet({})
    await wallet.p.transferSubnetOwnership({ subnetId, owner: to })
    const end = seconds() + 2n * DAY
    const { nodeId } = devnet.validators[1] as Devnet['validators'][number]
    const given = { subnetId, nodeId, weight: 5n, end }
    await expect(wallet.p.addSubnetValidator(given)).rejects.toMatchObject({ code: 'TXS_SIGNERS' })
    await wallet.p.transfer({ to, amount: avax('1') })
    const theirs = createWallet({ url: devnet.rpcUrl, keys: [other] })
    await theirs.p.addSubnetValidator(given)
    await theirs.p.removeSubnetValidator({ subnetId, nodeId })
  })

  test('changes the terms of an auto-renewed validator, signed by its authority', async () => {
    const { signer } = blsKey(3)
    const terms = {
      nodeId: nodeIdOf(3),
      stake: avax('2000'),
      period: DAY,
      compounded: 0,
      delegationFee: 20_000,
    }
    const two = { threshold: 2, addresses: [addressOf(1), addressOf(2)] }
    const own = await wallet.address('P')
    const added = async (authority: string | typeof two) =>
      wallet.sign(await wallet.p.build.addAutoRenewedValidator({ ...terms, signer, authority }))
    // The devnet has not activated Helicon, so it does not know the transaction.
    const knowing = async (tx: Signing.Draft) => {
      const hex = CheckedHex.encode(Signing.encode(tx))
      const fetchTx: typeof fetch = async (url, init) => {
        if (!String(init?.body).includes('platform.getTx"')) return fetch(url, init)
        const { id } = JSON.parse(String(init?.body))
        return Response.json({ jsonrpc: '2.0', id, result: { tx: hex, encoding: 'hex' } })
      }
      const { p } = createWallet({ url: devnet.rpcUrl, keys: [FundedWallet.KEY], fetch: fetchTx })
      return p.build.setAutoRenewedConfig({ txId: Signing.id(tx), period: 0n, compounded: 0 })
    }
    const draft = await knowing(await added(own))
    expect(draft.unsignedTx).toMatchObject({ type: 'SetAutoRenewedValidatorConfigTx', period: 0n })
    expect(draft.signers.at(-1)?.addresses).toEqual([FundedWallet.ADDRESS])
    await expect(knowing(await added(two))).rejects.toMatchObject({ code: 'TXS_SIGNERS' })
    const other = await wallet.sign(await wallet.p.build.transfer({ to: own, amount: 1n }))
    await expect(knowing(other)).rejects.toThrow(/is a BaseTx; expected the AddAutoRenewedValidatorTx/)
  })

  test('creates assets, mints and transfers tokens and burns properties', async () => {
    const own = await wallet.address('X')
    const { assetId } = await wallet.x.createAsset({
      ...{ name: 'Trial', symbol: 'TRY', denomination: 2 },
      ...{
        holders: [{ to: own, amount: 100n }],
        minters: [own],
        tokenMinters: [own],
        propertyMinters: [own],
      },
    })
    await wallet.x.mint({ assetId, amount: 50n })
    await wallet.x.transfer({ to: addressOf(5, 'X'), amount: 120n, assetId })
    // Bytes may be hex without 0x, as the aggregator returns it.
    await wallet.x.mintToken({ assetId, payload: '0102' })
    await wallet.x.transferToken({ assetId, payload: '0x0102', to: addressOf(5, 'X') })
    await expect(wallet.x.transferToken({ assetId, to: own })).rejects.toMatchObject({ code: 'TXS_FUNDS' })
    await wallet.x.mintProperty({ assetId })
    await wallet.x.burnProperty({ assetId })
    await expect(wallet.x.burnProperty({ assetId })).rejects.toMatchObject({ code: 'TXS_FUNDS' })
  })

  test('collects the signatures of a shared wallet over JSON', async () => {
    const [alice, bob] = [3, 4].map((byte) => PrivateKey.decode(new Uint8Array(32).fill(byte))) as [
      Uint8Array,
      Uint8Array,
    ]
    const addresses = [alice, bob].map((key) =>
      Address.format({ chain: 'P', hrp: 'custom', payload: addressOfKey(key) }),
    )
    await wallet.p.transfer({ to: { threshold: 2, addresses }, amount: avax('2') })
    const url = devnet.rpcUrl
    const hers = createWallet({ url, keys: [alice], others: [addressOfKey(bob)] })
    const error = await hers.p.transfer({ to: addressOf(5), amount: avax('1') }).catch((cause) => cause)
    expect(error).toMatchObject({ code: 'WALLET_SIGNATURES', details: { missing: [addresses[1]] } })
    const his = createWallet({ url, keys: [bob] })
    const draft = Drafts.fromJson(JSON.parse(JSON.stringify(error.details.draft)))
    const { txId } = await his.send(await his.sign(draft))
    expect(Id.parse(txId)).toHaveLength(32)
  })

  test('signs with an account that signs hashes', async () => {
    const signer = accountSigner({
      publicKey: Hex.encode(PublicKey.uncompress(PrivateKey.publicKey(FundedWallet.KEY))),
      async sign({ hash }) {
        const signature = SecpSignature.sign(Hex.decode(hash), FundedWallet.KEY)
        signature[64] = (signature[64] ?? 0) + 27
        return Hex.encode(signature)
      },
    })
    const { p, c } = createWallet({ url: devnet.rpcUrl, signer })
    await p.exportTo({ chain: 'C', amount: avax('1') })
    await c.importFrom({ chain: 'P', to: `0x${'12'.repeat(20)}` })
    await c.exportTo({ chain: 'P', amount: avax('0.5') })
  })

  test('signs with the account of a browser wallet', async () => {
    const [xp, evm] = [21, 22].map((byte) => PrivateKey.decode(new Uint8Array(32).fill(byte))) as [
      Uint8Array,
      Uint8Array,
    ]
    const asked: unknown[] = []
    /** Answers as Core does: it signs with the key of the chain, and returns each signature with its place. */
    const provider: Provider = {
      async request({ method, params }) {
        asked.push(method)
        const hex = (key: Uint8Array) => Hex.encodeBare(PublicKey.uncompress(PrivateKey.publicKey(key)))
        if (method === 'avalanche_getAccountPubKey') return { xp: hex(xp), evm: hex(evm) }
        const { transactionHex, chainAlias } = params as { transactionHex: string; chainAlias: string }
        const hash = Id.hash(Hex.decodeAny(transactionHex))
        const signature = Hex.encode(SecpSignature.sign(hash, chainAlias === 'C' ? evm : xp))
        return { signedTransactionHex: '0x', signatures: [{ signature, sigIndices: [0, 0] }] }
      },
    }
    const { p, c, addresses, balance } = createWallet({
      url: devnet.rpcUrl,
      signer: await providerSigner(provider),
    })
    const [to = ''] = (await addresses()).P
    await wallet.p.transfer({ to, amount: avax('5') })
    await p.exportTo({ chain: 'C', amount: avax('3') })
    await c.importFrom({ chain: 'P' })
    expect((await balance('C')).available).toBeGreaterThan(avax('2.9'))
    await c.exportTo({ chain: 'P', amount: avax('1') })
    await p.importFrom({ chain: 'C' })
    expect((await balance('P')).available).toBeGreaterThan(avax('2.9'))
    expect(asked).toEqual(['avalanche_getAccountPubKey', ...Array(4).fill('avalanche_signTransaction')])
    await expect(providerSigner({ request: async () => null })).rejects.toThrow(/public keys xp and evm/)
  })

  test('reports what the network refuses, what takes too long, and an abort', async () => {
    const draft = await wallet.sign(await wallet.p.build.transfer({ to: addressOf(5), amount: 1n }))
    await wallet.send(draft)
    await expect(wallet.issue(draft)).rejects.toMatchObject({ code: 'RPC_REMOTE' })
    const unknown = Id.format(new Uint8Array(32).fill(1))
    await expect(wallet.wait('P', unknown, { timeoutMs: 0 })).rejects.toMatchObject({
      code: 'WALLET_TIMEOUT',
    })
    const reason = new Error('stopped')
    const signal = AbortSignal.abort(reason)
    await expect(wallet.wait('X', unknown, { signal })).rejects.toThrow()
    const node = { ...wallet.node, state: async () => ({ kind: 'dropped' as const, reason: 'no gas' }) }
    const failing = createWallet({ node, keys: [FundedWallet.KEY] })
    await expect(failing.p.transfer({ to: addressOf(5), amount: 1n })).rejects.toMatchObject({
      code: 'WALLET_DROPPED',
      message: expect.stringContaining('no gas'),
    })
  })

  test('asks for the ids of the network again after a failure', async () => {
    let isDown = true
    const fetchOnce: typeof fetch = async (...given) => {
      if (isDown) throw new TypeError('connection refused')
      return fetch(...given)
    }
    const later = createWallet({ url: devnet.rpcUrl, keys: [FundedWallet.KEY], fetch: fetchOnce })
    await expect(later.addresses()).rejects.toMatchObject({ code: 'RPC_TRANSPORT' })
    isDown = false
    expect((await later.addresses()).P).toEqual([
      Address.format({ chain: 'P', hrp: 'custom', payload: FundedWallet.ADDRESS }),
    ])
  })

  test.each([
    ['an address of another network', { to: 'P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw' }],
    ['an address of another chain', { to: addressOf(5, 'X') }],
    ['no address', { to: 'P-custom1' }],
    ['a malformed asset', { to: addressOf(5), assetId: 'AVAX' }],
  ])('rejects %s', async (_, request) => {
    await expect(wallet.p.build.transfer({ amount: 1n, ...request })).rejects.toMatchObject({
      code: 'WALLET_INPUT',
    })
  })

  test('has no address on a chain of which the signer has no key', async () => {
    const signer = { ...keySigner([FundedWallet.KEY]), accountKeys: [] }
    const own = createWallet({ url: devnet.rpcUrl, signer })
    expect(await own.address('P')).toBe(await wallet.address('P'))
    await expect(own.address('C')).rejects.toMatchObject({ code: 'WALLET_INPUT' })
  })

  test('rejects options without a node or a key', () => {
    expect(() => createWallet({ keys: [FundedWallet.KEY] })).toThrow(/url of a node/)
    expect(() => createWallet({ network: 'fuji' })).toThrow(/pass keys/)
  })
})

function addressOf(byte: number, chain = 'P'): string {
  return Address.format({ chain, hrp: 'custom', payload: new Uint8Array(20).fill(byte) })
}

function addressOfKey(key: Uint8Array): Uint8Array {
  return PublicKey.address(PrivateKey.publicKey(key))
}

function nodeIdOf(byte: number): string {
  return NodeId.format(new Uint8Array(20).fill(byte))
}

function blsKey(seed: number) {
  const key = SecretKey.generate(new Uint8Array(32).fill(seed))
  return { key, signer: Signer.create(key) }
}

/** Returns a Warp message of an L1's manager contract, signed by the L1's only validator. */
function signedBy(
  key: SecretKey.SecretKey,
  blockchainId: string,
  managerAddress: string,
  message: L1Message.L1Message,
): Uint8Array {
  const payload = Payload.encode({
    type: 'AddressedCall',
    sourceAddress: Hex.decode(managerAddress),
    payload: L1Message.encode(message),
  })
  const unsigned = { networkID: devnet.networkId, sourceChainID: Id.parse(blockchainId), payload }
  const signature = Signature.sign(key, UnsignedMessage.encode(unsigned)).compressed
  return SignedMessage.encode(SignedMessage.create(unsigned, [0], signature))
}
