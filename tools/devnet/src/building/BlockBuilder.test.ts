import { ProofOfPossession } from '@firn/bls'
import type { ChainAlias } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { NetworkGenesis } from '@firn/genesis-data'
import { LedgerState } from '@firn/ledger'
import {
  AtomicBuilder,
  AvmBuilder,
  Container,
  L1Builder,
  PlatformBuilder,
  PlatformTx,
  Signing,
  StakingBuilder,
  Wallet,
} from '@firn/txs'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAddressSignatures } from '../internal/addressSignatures.ts'
import { key } from '../State.ts'
import { createKeys, type ValidatorKeys } from '../Validator.ts'
import { type BlockBuilder, type BuiltBlock, createBlockBuilder } from './BlockBuilder.ts'
import * as Funded from './FundedWallet.ts'
import * as DevnetGenesis from './genesis.ts'

const START = 1_790_000_000
const YEAR = 365 * 86_400
const AVAX = 1_000_000_000n

let keys: ValidatorKeys[]
let genesis: DevnetGenesis.DevnetGenesis
let builder: BlockBuilder
let accepted: BuiltBlock[]
let now: number

beforeAll(async () => {
  const addresses = createAddressSignatures()
  keys = [0, 1].map((index) => createKeys('firn', index, addresses))
  const validators = keys.map(({ identity: { nodeId }, secretKey, publicKey }) => ({
    nodeId,
    publicKey,
    proofOfPossession: ProofOfPossession.sign(secretKey).compressed,
  }))
  const local = await NetworkGenesis.readConfig(Networks.LOCAL.networkId)
  genesis = DevnetGenesis.create({ local, networkId: 54_321, validators, startTime: BigInt(START) })
})

beforeEach(() => {
  accepted = []
  now = (START + 3_600) * 1_000
  builder = createBlockBuilder({
    rules: genesis.rules,
    proposers: keys.map(({ identity }) => identity),
    onAccepted: (built) => accepted.push(built),
  })
})

/** Signs and issues a transaction, builds its block, and returns its id. */
function issue<C extends ChainAlias>(draft: Signing.Draft<C>): Uint8Array {
  const id = send(draft)
  builder.build(now)
  return id
}

function send<C extends ChainAlias>(draft: Signing.Draft<C>): Uint8Array {
  return builder.issue(draft.chain, Signing.encode(Signing.sign(draft, [Funded.KEY])), now)
}

function statusOf(txId: Uint8Array): string | undefined {
  for (const { changes } of accepted)
    for (const change of changes)
      if (change.type === 'transaction' && key(change.txId) === key(txId)) return change.status
  return undefined
}

const pay = (amount: bigint) => ({
  assetID: genesis.rules.genesis.avaxAssetId,
  amount,
  owners: Wallet.soleOwner(new Uint8Array(20).fill(5)),
})
const payOwn = (amount: bigint) => ({ ...pay(amount), owners: Funded.OWNER })
const chainId = (chain: ChainAlias) => builder.state.rules.chainIds[chain]

describe('createBlockBuilder', () => {
  it('builds nothing without transactions', () => {
    expect(builder.build(now)).toEqual([])
  })

  it('accepts transfers on the P- and X-chain in signed containers that follow each other', () => {
    const ids = [
      issue(PlatformBuilder.transfer(Funded.platform(builder), [pay(AVAX)])),
      issue(AvmBuilder.transfer(Funded.avm(builder), [pay(AVAX)])),
      issue(PlatformBuilder.transfer(Funded.platform(builder), [pay(2n * AVAX)])),
    ]
    expect(ids.map(statusOf)).toEqual(['Committed', 'Accepted', 'Committed'])
    const [first, , third] = accepted.map(({ block }) => Container.decode(block.bytes))
    expect(third).toMatchObject({
      type: 'GraniteBlock',
      parentID: Container.id(first as Container.Container),
    })
    for (const { chain, block } of accepted) Container.verify(Container.decode(block.bytes), chainId(chain))
    expect(builder.chains.P.blocks).toHaveLength(3)
  })

  it('moves AVAX from the P-chain to the C-chain and on to the X-chain', () => {
    issue(PlatformBuilder.exportTo(Funded.platform(builder), chainId('C'), [payOwn(5n * AVAX)]))
    const before = Funded.account(builder)
    issue(AtomicBuilder.importFrom(Funded.atomic(builder), chainId('P'), Funded.EVM_ADDRESS))
    const between = Funded.account(builder)
    expect(between.balance).toBeGreaterThan(before.balance + 4n * AVAX * AVAX)
    const wallet = Funded.atomic(builder)
    issue(AtomicBuilder.exportTo(wallet, chainId('X'), [payOwn(3n * AVAX)], [between]))
    expect(Funded.account(builder).nonce).toBe(1n)
    const exported = Funded.utxos(builder, 'X', 'C')
    const last = issue(AvmBuilder.importFrom(Funded.avm(builder), chainId('C'), exported, Funded.OWNER))
    expect(statusOf(last)).toBe('Accepted')
    expect(accepted.map(({ chain }) => chain)).toEqual(['P', 'C', 'C', 'X'])
  })

  it('refuses an export from the C-chain with a used nonce or above the balance', () => {
    const account = Funded.account(builder)
    const exportWith = (changed: Partial<AtomicBuilder.Account>, amount = AVAX) =>
      send(
        AtomicBuilder.exportTo(
          Funded.atomic(builder),
          chainId('P'),
          [payOwn(amount)],
          [{ ...account, ...changed }],
        ),
      )
    expect(() => exportWith({ nonce: 7n })).toThrow(/expected the nonce 0, got 7/)
    const all = account.balance / AVAX
    expect(() => exportWith({ balance: 2n * account.balance }, all + AVAX)).toThrow(/is less than/)
  })

  it('creates a subnet with a chain, and converts it to an L1', () => {
    const subnetId = issue(PlatformBuilder.createSubnet(Funded.platform(builder), Funded.OWNER))
    const authority = Funded.OWNER
    const chainId = issue(
      PlatformBuilder.createChain(Funded.platform(builder), {
        authority,
        subnetID: subnetId,
        chainName: 'test',
        vmID: new Uint8Array(32).fill(6),
        fxIDs: [],
        genesisData: Uint8Array.of(1),
      }),
    )
    const { identity, publicKey, secretKey } = keys[0] as ValidatorKeys
    const owner = { threshold: 1, addresses: [Funded.ADDRESS] }
    issue(
      L1Builder.convertSubnetToL1(Funded.platform(builder), {
        authority,
        subnetID: subnetId,
        chainID: chainId,
        address: new Uint8Array(20),
        validators: [
          {
            nodeID: identity.nodeId,
            weight: 100n,
            balance: AVAX,
            signer: { publicKey, proofOfPossession: ProofOfPossession.sign(secretKey).compressed },
            remainingBalanceOwner: owner,
            deactivationOwner: owner,
          },
        ],
      }),
    )
    expect([...builder.state.tables.l1Validator.ordered()]).toMatchObject([{ subnetId, weight: 100n }])
  })

  it('rewards stakers when their period ends', () => {
    const { nodeId } = (keys[0] as ValidatorKeys).identity
    const end = BigInt(START + 40 * 86_400)
    const txId = issue(
      StakingBuilder.addPermissionlessDelegator(Funded.platform(builder), {
        validator: { nodeID: nodeId, start: 0n, end, weight: 25n * AVAX },
        subnetID: Networks.PRIMARY_NETWORK_ID,
        rewardsOwner: Funded.OWNER,
      }),
    )
    expect(statusOf(txId)).toBe('Committed')
    now = (START + YEAR + 60) * 1_000
    builder.build(now)
    // One proposal and one commit for the delegator and for each validator.
    expect(accepted.filter(({ chain }) => chain === 'P')).toHaveLength(1 + 2 * 3)
    expect([...builder.state.tables.staker.ordered()]).toEqual([])
    expect(statusOf(issue(PlatformBuilder.transfer(Funded.platform(builder), [pay(AVAX)])))).toBe('Committed')
    expect(LedgerState.tip(builder.state, 'P').time).toBe(BigInt(now / 1_000))
  })

  it('drops the second of two transactions that spend the same output', () => {
    const wallet = Funded.platform(builder)
    const first = send(PlatformBuilder.transfer(wallet, [pay(AVAX)]))
    const second = send(PlatformBuilder.transfer(wallet, [pay(2n * AVAX)]))
    builder.build(now)
    expect(statusOf(first)).toBe('Committed')
    expect(builder.mempools.P.reason(second)).toMatch(/not found/)
    expect(builder.mempools.P.size).toBe(0)
  })

  it('refuses a transaction with a wrong signature, and one that is accepted already', () => {
    const draft = PlatformBuilder.transfer(Funded.platform(builder), [pay(AVAX)])
    const signed = Signing.encode(Signing.sign(draft, [Funded.KEY]))
    const tx = PlatformTx.decode(signed)
    const signatures = [new Uint8Array(65).fill(1)]
    const forged = PlatformTx.encode({ ...tx, credentials: [{ type: 'Credential', signatures }] })
    expect(() => builder.issue('P', forged, now)).toThrow()
    builder.issue('P', signed, now)
    builder.build(now)
    expect(() => builder.issue('P', signed, now)).toThrow()
  })
})
