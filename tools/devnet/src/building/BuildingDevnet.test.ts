import { SecretKey, Signature } from '@firn/bls'
import { CHAIN_ALIASES, type ChainAlias, CheckedHex, Id, isFirnError } from '@firn/codec'
import { Genesis, GenesisConfig, Networks } from '@firn/genesis'
import { Ledger, LedgerState } from '@firn/ledger'
import type { Network } from '@firn/p2p'
import { AvaxMethods, AvmMethods, type Client, createClient, InfoMethods, PlatformMethods } from '@firn/rpc'
import {
  AtomicBuilder,
  AvmBuilder,
  type Coins,
  Container,
  L1Builder,
  PlatformBuilder,
  PlatformUtxo,
  Signing,
  Stakeable,
  StakingBuilder,
  Wallet,
} from '@firn/txs'
import { L1Message, Payload, SignedMessage, UnsignedMessage } from '@firn/warp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnet, type Devnet, type L1, type State } from '../index.ts'
import { derive } from '../Seed.ts'
import { key } from '../State.ts'
import { connect } from '../testing/client.ts'
import type { BlockBuilder } from './BlockBuilder.ts'
import * as Funded from './FundedWallet.ts'

const AVAX = 1_000_000_000n

let devnet: Devnet
let builder: BlockBuilder
let platform: Client<typeof PlatformMethods>
let avm: Client<typeof AvmMethods>
let avax: Client<typeof AvaxMethods>
let peer: Network

beforeAll(async () => {
  const l1s = [{ name: 'l1-1', validators: 2, weights: [300n, 100n], inactive: [1] }]
  devnet = await createDevnet({ validators: 2, l1s, networkId: 54_321, buildBlocks: true, buildDelayMs: 1 })
  builder = devnet.builder as BlockBuilder
  platform = createClient(PlatformMethods, { url: `${devnet.rpcUrl}/ext/bc/P` })
  avm = createClient(AvmMethods, { url: `${devnet.rpcUrl}/ext/bc/X` })
  avax = createClient(AvaxMethods, { url: `${devnet.rpcUrl}/ext/bc/C/avax` })
  peer = await connect(devnet)
  // Opens the database, which takes a few seconds.
  await devnet.warm()
})

afterAll(async () => {
  await peer?.close()
  await devnet?.close()
})

const pay = (amount: bigint) => ({
  assetID: builder.rules.genesis.avaxAssetId,
  amount,
  owners: Wallet.soleOwner(new Uint8Array(20).fill(5)),
})
const payOwn = (amount: bigint) => ({ ...pay(amount), owners: Funded.OWNER })
const signed = (draft: Signing.Draft) => Signing.encode(Signing.sign(draft, [Funded.KEY]))
const { P, X, C } = { P: () => devnet.chains.p.id, X: () => devnet.chains.x.id, C: () => devnet.chains.c.id }

/** Issues a P-chain transaction over the API and waits until it is committed. */
async function commit(bytes: Uint8Array): Promise<void> {
  const { txID: txId } = await platform.call('platform.issueTx', {
    tx: CheckedHex.encode(bytes),
    encoding: 'hex',
  })
  await expect
    .poll(async () => (await platform.call('platform.getTxStatus', { txID: txId })).status)
    .toBe('Committed')
}

/** Fetches a chain's blocks from a peer, checks their containers, and returns them from height 1 on. */
async function blocksOf(chain: ChainAlias): Promise<Uint8Array[]> {
  const [{ nodeId }] = devnet.validators as [Devnet['validators'][number]]
  const { chainId } = builder.chains[chain]
  const place = { chainId, deadlineMs: 10_000 }
  const frontier = await peer.ask('acceptedFrontier', nodeId, place)
  if (frontier.kind !== 'answer') throw new Error(frontier.kind)
  let { containerId } = frontier.answer
  const ancestors = await peer.ask('ancestors', nodeId, { ...place, containerId, engine: 'chain' })
  if (ancestors.kind !== 'answer') throw new Error(ancestors.kind)
  const opened = ancestors.answer.containers.slice(0, -1).map((bytes) => Container.open(bytes))
  for (const { id, ...block } of opened) {
    expect(key(id)).toBe(key(containerId))
    if (block.kind !== 'postFork') throw new Error('expected a container')
    Container.verify(block.container, chainId)
    containerId = block.container.parentID
  }
  return opened.map(({ block }) => block).reverse()
}

describe('createDevnet with buildBlocks', () => {
  it('commits a transaction that the wallet built from the APIs', async () => {
    const from = await platform.call('platform.getUTXOs', { addresses: [Funded.address(builder, 'P')] })
    const utxos = from.utxos.map((hex) => PlatformUtxo.decode(CheckedHex.decode(hex)))
    await commit(signed(PlatformBuilder.transfer({ ...Funded.platform(builder), utxos }, [pay(AVAX)])))
    expect((await platform.call('platform.getHeight')).height).toBe(devnet.state.height)
  })

  it('says why a transaction is refused', async () => {
    const bytes = signed(PlatformBuilder.transfer(Funded.platform(builder), [pay(AVAX)]))
    await commit(bytes)
    const again = platform.call('platform.issueTx', { tx: CheckedHex.encode(bytes), encoding: 'hex' })
    await expect(again).rejects.toThrow(/couldn't issue tx: failed verification: /)
  })

  it('moves AVAX over the P-, C- and X-chain through their APIs', async () => {
    await commit(signed(PlatformBuilder.exportTo(Funded.platform(builder), C(), [payOwn(5n * AVAX)])))
    const imported = signed(AtomicBuilder.importFrom(Funded.atomic(builder), P(), Funded.EVM_ADDRESS))
    const { txID: txId } = await avax.call('avax.issueTx', {
      tx: CheckedHex.encode(imported),
      encoding: 'hex',
    })
    await expect
      .poll(async () => (await avax.call('avax.getAtomicTxStatus', { txID: txId })).status)
      .toBe('Accepted')
    const draft = AtomicBuilder.exportTo(
      Funded.atomic(builder),
      X(),
      [payOwn(2n * AVAX)],
      [Funded.account(builder)],
    )
    devnet.issue('C', signed(draft))
    await expect.poll(() => Funded.utxos(builder, 'X', 'C')).toHaveLength(1)
    const last = AvmBuilder.importFrom(
      Funded.avm(builder),
      C(),
      Funded.utxos(builder, 'X', 'C'),
      Funded.OWNER,
    )
    const issued = await avm.call('avm.issueTx', { tx: CheckedHex.encode(signed(last)), encoding: 'hex' })
    await expect
      .poll(async () => (await avm.call('avm.getTxStatus', { txID: issued.txID })).status)
      .toBe('Accepted')
  })

  it('starts with L1s, whose messages to the P-chain need the signatures of their validators', async () => {
    const [l1] = devnet.l1s as [L1]
    const { validators } = await platform.call('platform.getCurrentValidators', { subnetID: l1.subnetId })
    expect(validators).toHaveLength(2)
    expect(devnet.state.l1Validators.size).toBe(2)
    const change = { type: 'L1ValidatorWeight' as const, nonce: 0n, weight: 250n }
    const [validator] = [...devnet.state.l1Validators.values()].filter(({ balance }) => balance > 0n)
    const { validationId, nodeId } = validator as State.L1Validator
    const call = L1Message.encode({ ...change, validationID: validationId })
    const payload = Payload.encode({
      type: 'AddressedCall',
      sourceAddress: l1.conversion.managerAddress,
      payload: call,
    })
    const { networkId } = devnet
    const unsigned = { networkID: networkId, sourceChainID: l1.chain.id, payload }
    const index = devnet.validators.findIndex((node) => key(node.nodeId) === key(nodeId))
    const secretKey = SecretKey.generate(derive('firn', 'bls', index))
    const signature = Signature.sign(secretKey, UnsignedMessage.encode(unsigned)).compressed
    const wallet = Funded.platform(builder)
    const drafts = [signature, Signature.sign(secretKey, Uint8Array.of(1)).compressed].map((bytes) =>
      L1Builder.setL1ValidatorWeight(
        wallet,
        SignedMessage.encode(SignedMessage.create(unsigned, [0], bytes)),
      ),
    )
    const [valid, forged] = drafts.map(signed) as [Uint8Array, Uint8Array]
    expect(() => devnet.issue('P', forged)).toThrow(/invalid Warp message/)
    await commit(valid)
    expect(devnet.state.l1Validators.get(key(validationId))?.weight).toBe(250n)
  })

  it('accepts transactions that peers push, and drops pushed garbage', async () => {
    const bytes = signed(PlatformBuilder.transfer(Funded.platform(builder), [pay(AVAX)]))
    const { height } = LedgerState.tip(builder.state, 'P')
    const nodeIds = devnet.validators.map(({ nodeId }) => nodeId)
    const transactions = [Uint8Array.of(1, 2, 3), bytes]
    peer.gossip(nodeIds, { chainId: P(), handlerId: 0n, transactions })
    await expect.poll(() => LedgerState.tip(builder.state, 'P').height).toBe(height + 1n)
  })

  it('serves containers to peers from which a ledger reaches the same state', async () => {
    const { genesis, constants } = builder.rules
    const waiting: Record<ChainAlias, Uint8Array[]> = {
      P: await blocksOf('P'),
      X: await blocksOf('X'),
      C: await blocksOf('C'),
    }
    const state = LedgerState.create(genesis, constants)
    // An import waits until the other chain's export is applied.
    while (CHAIN_ALIASES.some((chain) => applyNext(chain)));
    for (const chain of CHAIN_ALIASES)
      expect(LedgerState.tip(state, chain)).toEqual(LedgerState.tip(builder.state, chain))
    expect(LedgerState.tip(state, 'C').height).toBeGreaterThan(2n)

    function applyNext(chain: ChainAlias): boolean {
      const [bytes] = waiting[chain]
      if (bytes === undefined) return false
      try {
        LedgerState.commit(state, Ledger.apply(state, chain, bytes))
      } catch (error) {
        if (isFirnError(error) && error.code === 'LEDGER_SHARED_MEMORY') return false
        throw error
      }
      waiting[chain].shift()
      return true
    }
  })

  it('serves the genesis file of its network', async () => {
    const json = await (await fetch(`${devnet.rpcUrl}/devnet/genesis.json`)).text()
    const genesis = Genesis.build(GenesisConfig.parse(json))
    expect(key(genesis.genesisId)).toBe(key(builder.rules.genesis.genesisId))
    const info = createClient(InfoMethods, { url: `${devnet.rpcUrl}/ext/info` })
    const { blockchainID: blockchainId } = await info.call('info.getBlockchainID', { alias: 'X' })
    expect(Id.format(blockchainId)).toBe(Id.format(genesis.xChain.blockchainId))
  })

  it('refuses to change validator sets without a transaction, and options that the genesis cannot express', async () => {
    const { nodeId, publicKey } = devnet.validators[0] as Devnet['validators'][number]
    const change = { kind: 'set-primary' as const, nodeId, publicKey, weight: 1n }
    expect(() => devnet.advance([change])).toThrow(/changes by transactions/)
    await expect(createDevnet({ buildBlocks: true, weights: [1n] })).rejects.toThrow(/cannot be combined/)
    const mainnet = createDevnet({ buildBlocks: true, networkId: Networks.MAINNET.networkId })
    await expect(mainnet).rejects.toThrow(/cannot be replaced/)
  })
})

describe('a transaction that mempools of nodes refuse', () => {
  const hex = (bytes: Uint8Array) => ({ tx: CheckedHex.encode(bytes), encoding: 'hex' as const })
  const P_WALLET = () => Funded.platform(builder)
  /** Signs a transaction that no builder makes. */
  const forced = (
    chain: ChainAlias,
    draft: Signing.Draft,
    change: object,
    utxos: readonly Coins.AnyUtxo[],
  ) => {
    const tx = { ...draft.unsignedTx, ...change }
    return signed(Signing.create(chain, tx as never, { utxos, authority: Funded.OWNER }))
  }
  /** Replaces the first of the outputs by many that hold 1 nAVAX each. */
  const split = (draft: Signing.Draft, count: number) => {
    const { outputs } = draft.unsignedTx as unknown as { readonly outputs: Stakeable.Out[] }
    const sorted = outputs.toSorted((a, b) => Number(amountOf(b) - amountOf(a)))
    const [change, ...rest] = sorted as [Stakeable.Out, ...Stakeable.Out[]]
    const less = Wallet.out({ ...pay(amountOf(change) - BigInt(count)), owners: Funded.OWNER })
    return Wallet.sortOuts([less, ...rest, ...Array.from({ length: count }, () => Wallet.out(pay(1n)))])
  }
  const amountOf = ({ output }: Stakeable.Out) => Stakeable.unlocked(output).amount

  it('has more than 64 KiB on the X-chain', async () => {
    const wallet = Funded.avm(builder)
    const draft = AvmBuilder.transfer(wallet, [pay(AVAX)])
    const bytes = forced('X', draft, { outputs: split(draft, 900) }, wallet.utxos)
    await expect(avm.call('avm.issueTx', hex(bytes))).rejects.toThrow(
      `: tx too large: ${Id.format(Id.hash(bytes))} size (${bytes.length}) > max size (65536)`,
    )
  })

  it('has more than 64 KiB on the P-chain', async () => {
    await commit(signed(PlatformBuilder.createSubnet(P_WALLET(), Funded.OWNER)))
    const [subnet] = [...builder.state.tables.subnet.ordered()].slice(-1)
    const subnetId = (subnet as { readonly subnetId: Uint8Array }).subnetId
    const weights = builder.rules.constants.dynamicFee.weights
    // The price pays for the larger genesis, too.
    const wallet = { ...P_WALLET(), fees: { weights, gasPrice: 100n } }
    const draft = PlatformBuilder.createChain(wallet, {
      ...{
        authority: Funded.OWNER,
        subnetID: subnetId,
        chainName: 'large',
        vmID: new Uint8Array(32).fill(1),
      },
      ...{ fxIDs: [], genesisData: new Uint8Array() },
    })
    const bytes = forced('P', draft, { genesisData: new Uint8Array(70_000) }, wallet.utxos)
    await expect(platform.call('platform.issueTx', hex(bytes))).rejects.toThrow(
      `: couldn't issue tx: tx too large: ${Id.format(Id.hash(bytes))} size (${bytes.length}) > max size (65536)`,
    )
  })

  it('needs more gas than the P-chain has', async () => {
    const wallet = P_WALLET()
    const draft = PlatformBuilder.transfer({ ...wallet, fees: { fixed: AVAX } }, [pay(AVAX)])
    const bytes = forced('P', draft, { outputs: split(draft, 950) }, wallet.utxos)
    await expect(platform.call('platform.issueTx', hex(bytes))).rejects.toThrow(
      /couldn't issue tx: failed verification: tx exceeds current gas capacity: \d+ > \d+$/,
    )
  })

  it('uses more gas than the C-chain accepts before Helicon', async () => {
    const payments = Array.from({ length: 90 }, () => payOwn(AVAX))
    devnet.issue('X', signed(AvmBuilder.exportTo(Funded.avm(builder), C(), payments)))
    await expect.poll(() => Funded.utxos(builder, 'C', 'X')).toHaveLength(90)
    const wallet = Funded.atomic(builder, 'X')
    const helicon = AtomicBuilder.importFrom({ ...wallet, isHeliconActive: true }, X(), Funded.EVM_ADDRESS)
    await expect(avax.call('avax.issueTx', hex(signed(helicon)))).rejects.toThrow(
      /tx gas usage \(108\d{3}\) exceeds maximum allowed mempool gas usage \(100000\)/,
    )
    const draft = AtomicBuilder.importFrom(wallet, X(), Funded.EVM_ADDRESS)
    await expect(avax.call('avax.issueTx', hex(signed(draft)))).resolves.toBeDefined()
  })

  it.each([
    ['too little', 1n, 20n * 86_400n, 'weight of this validator is too low'],
    ['for too short a time', 25n, 3_600n, 'staking period is too short'],
    ['for too long a time', 25n, 400n * 86_400n, 'staking period is too long'],
  ])('stakes %s', async (_what, amount, period, reason) => {
    const wallet = P_WALLET()
    const [{ nodeId }] = devnet.validators as [Devnet['validators'][number]]
    const { time } = LedgerState.tip(builder.state, 'P')
    const draft = StakingBuilder.addPermissionlessDelegator(wallet, {
      validator: { nodeID: nodeId, start: 0n, end: time + period, weight: amount * AVAX },
      subnetID: Id.EMPTY,
      rewardsOwner: Funded.OWNER,
    })
    await expect(platform.call('platform.issueTx', hex(signed(draft)))).rejects.toThrow(reason)
  })
})
