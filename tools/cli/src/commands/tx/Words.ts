import { Address, type ChainAlias, Hex, Id } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { EvmAddress } from '@firn/keys'
import {
  AtomicTx,
  AvmTx,
  type Flow,
  type Secp256k1,
  type Signatures,
  type Signers,
  type Signing,
  Stakeable,
  UnsignedTx,
  UtxoId,
} from '@firn/txs'
import { formatAvax } from '@firn/wallet'
import { actionOf, balances, type Formats, type Owned } from './Actions.ts'

/** A transaction to describe. */
export interface Described<C extends ChainAlias = ChainAlias> {
  readonly chain: C
  readonly unsignedTx: Signers.UnsignedTxs[C]
  /** The draft, if the signers are known. */
  readonly draft?: Signing.Draft | undefined
  /** Id of AVAX. Default: the asset of the network, otherwise the only asset of which an amount is burned. */
  readonly avaxAssetId?: Uint8Array | undefined
}

interface Spent extends Flow.Share {
  readonly name: string
}

interface Produced extends Flow.Share {
  readonly owners: Owned
  /** Time until which the amount can only be staked. */
  readonly lock: bigint
}

/** The amounts that a transaction moves. */
interface Flows {
  readonly spent: readonly Spent[]
  /** Amounts that others, or the signers as change, own on the same chain afterwards. */
  readonly paid: readonly Produced[]
  readonly staked: readonly Produced[]
  readonly exported: readonly Produced[]
  /** The chain that imports the exported amounts. */
  readonly to?: Uint8Array | undefined
  /** C-chain accounts whose balance grows. */
  readonly credited: readonly AtomicTx.EvmOutput[]
}

/**
 * Says in words what a transaction does: an action, the amounts that it moves, what it burns, the UTXOs that it
 * spends and its signatures.
 */
export const describe = (given: Described): string[] => {
  const { chain, unsignedTx, draft } = given
  const { networkID: networkId } = unsignedTx as Pick<AvmTx.Of<'BaseTx'>, 'networkID'>
  const network = Networks.of(networkId)
  const flows = flowsOf(given)
  const burned = difference(flows)
  const [only] = burned.length === 1 ? burned : []
  const avaxAssetId = given.avaxAssetId ?? network.ids?.avaxAssetId ?? only?.assetID
  const formats = formatsOf(chain, network, avaxAssetId)
  const { amount, owners } = formats
  const signers = new Set(draft?.signers.flatMap(({ addresses }) => addresses.map(Hex.encodeBare)))
  const isOwn = ({ addresses }: Owned) =>
    addresses.length > 0 && addresses.every((one) => signers.has(Hex.encodeBare(one)))
  const locked = (lock: bigint) =>
    lock === 0n ? '' : `, which can only be staked before ${formats.time(lock)}`
  const held = balances(unsignedTx)
  return [
    `${unsignedTx.type} on the ${chain}-chain of ${network.name}`,
    ...actionOf(given, formats),
    ...flows.paid.map((one) =>
      isOwn(one.owners)
        ? `keeps ${amount(one)} for ${owners(one.owners)}, a signer${locked(one.lock)}`
        : `pays ${amount(one)} to ${owners(one.owners)}${locked(one.lock)}`,
    ),
    ...flows.staked.map((one) => `stakes ${amount(one)} of ${owners(one.owners)}${locked(one.lock)}`),
    ...flows.exported.map((one) => `exports ${amount(one)} to ${exportedTo(network, flows.to, one.owners)}`),
    ...flows.credited.map((one) => `credits ${amount(one)} to the account ${EvmAddress.format(one.address)}`),
    ...burned.map((one) =>
      held > 0n && only !== undefined
        ? `pays a fee of ${formatAvax(one.amount - held)} AVAX, and ${formatAvax(held)} AVAX for the balances of L1 validators`
        : `pays a fee of ${amount(one)}`,
    ),
    ...flows.spent.map(({ name, ...share }) => `spends ${amount(share)} of ${name}`),
  ]
}

const formatsOf = (
  chain: ChainAlias,
  { hrp }: Networks.Constants,
  avaxAssetId: Uint8Array | undefined,
): Formats => {
  const address = (payload: Uint8Array) => Address.format({ chain, hrp, payload })
  const time = (seconds: bigint) => {
    const date = new Date(Number(seconds) * 1_000)
    return Number.isNaN(date.getTime()) ? `second ${seconds}` : date.toISOString()
  }
  return {
    address,
    time,
    amount: ({ assetID: assetId, amount }) =>
      avaxAssetId !== undefined && Hex.encode(assetId) === Hex.encode(avaxAssetId)
        ? `${formatAvax(amount)} AVAX`
        : `${amount} of the asset ${Id.format(assetId)}`,
    owners: (owners) => ownersText(owners, address, time),
  }
}

const ownersText = (
  { threshold, addresses, locktime = 0n }: Owned,
  address: (payload: Uint8Array) => string,
  time: (seconds: bigint) => string,
): string => {
  const names = addresses.map(address)
  const who =
    names.length === 0
      ? 'nobody'
      : names.length === 1 && threshold === 1
        ? names.join()
        : `any ${threshold} of ${names.join(', ')}`
  return locktime === 0n ? who : `${who} (from ${time(locktime)})`
}

/** Returns the owners of an exported output, as addresses of the chain that imports it. */
const exportedTo = (network: Networks.Constants, to: Uint8Array | undefined, owners: Owned): string => {
  const id = to === undefined ? '' : Id.format(to)
  const { ids } = network
  const known: Readonly<Record<string, ChainAlias>> = {
    [Id.format(Networks.PRIMARY_NETWORK_ID)]: 'P',
    ...(ids === undefined ? {} : { [Id.format(ids.xChainId)]: 'X', [Id.format(ids.cChainId)]: 'C' }),
  }
  const chain = known[id]
  const { owners: format } = formatsOf(chain ?? 'P', network, undefined)
  if (chain !== undefined) return `${format(owners)} on the ${chain}-chain`
  return `${format(owners).replaceAll('P-', '')} on the blockchain ${id}`
}

const produced = ({ assetID: assetId, output }: Stakeable.Out): Produced => {
  const owners = Stakeable.unlocked(output)
  return {
    assetID: assetId,
    amount: owners.amount,
    owners,
    lock: output.type === 'LockOut' ? output.locktime : 0n,
  }
}

type Plain = Pick<Flow.Share, 'assetID'> & { readonly output: Secp256k1.TransferOutput }

const plain = ({ assetID: assetId, output }: Plain): Produced => ({
  assetID: assetId,
  amount: output.amount,
  owners: output,
  lock: 0n,
})

const spentUtxo = ({ input, ...utxo }: Stakeable.In): Spent => ({
  assetID: utxo.assetID,
  amount: Stakeable.unlockedInput(input).amount,
  name: `UTXO ${UtxoId.format(utxo)}`,
})

const NONE = { paid: [], staked: [], exported: [], credited: [] }

const FLOWS: { readonly [C in ChainAlias]: (tx: Signers.UnsignedTxs[C]) => Flows } = {
  P: (tx) => {
    const exported = UnsignedTx.exported(tx)
    return {
      ...NONE,
      spent: UnsignedTx.inputs(tx).map(spentUtxo),
      paid: 'outputs' in tx ? tx.outputs.map(produced) : [],
      staked: UnsignedTx.stake(tx).map(produced),
      exported: exported?.outputs.map(produced) ?? [],
      to: exported?.to,
    }
  },
  X: (tx) => {
    const exported = AvmTx.exported(tx)
    return {
      ...NONE,
      spent: [...tx.inputs, ...(AvmTx.imported(tx)?.inputs ?? [])].map(spentUtxo),
      paid: tx.outputs.map(plain),
      exported: exported?.outputs.map(plain) ?? [],
      to: exported?.to,
    }
  },
  C: (tx) => {
    const exported = AtomicTx.exported(tx)
    const debited = AtomicTx.debited(tx).map(({ address, nonce, ...share }) => ({
      ...share,
      name: `the account ${EvmAddress.format(address)} with nonce ${nonce}`,
    }))
    return {
      ...NONE,
      spent: [...(AtomicTx.imported(tx)?.inputs ?? []).map(spentUtxo), ...debited],
      exported: exported?.outputs.map(plain) ?? [],
      to: exported?.to,
      credited: AtomicTx.credited(tx),
    }
  },
}

const flowsOf = <C extends ChainAlias>({ chain, unsignedTx }: Described<C>): Flows => FLOWS[chain](unsignedTx)

/** Returns what a transaction consumes and does not produce, by asset. */
const difference = ({ spent, paid, staked, exported, credited }: Flows): Flow.Share[] => {
  const sums = new Map<string, Flow.Share>()
  const add = (shares: readonly Flow.Share[], sign: bigint) => {
    for (const { assetID: assetId, amount } of shares) {
      const key = Hex.encodeBare(assetId)
      sums.set(key, { assetID: assetId, amount: (sums.get(key)?.amount ?? 0n) + sign * amount })
    }
  }
  add(spent, 1n)
  for (const shares of [paid, staked, exported, credited]) add(shares, -1n)
  return [...sums.values()].filter(({ amount }) => amount > 0n)
}

/** Says who has signed a transaction, who has not, and whose signatures are not needed. */
export const signatures = (
  { signedBy, missing, missingUnknown, strangers, malformed }: Signatures.Signatures,
  bytes: Uint8Array,
): string[] => {
  const isComplete = [missing.length, missingUnknown, strangers.length, malformed].every(
    (count) => count === 0,
  )
  const unknown = missingUnknown === 1 ? 'one signature' : `${missingUnknown} signatures`
  return [
    ...(signedBy.length === 0 ? [] : [`signed by ${signedBy.join(', ')}`]),
    ...(missing.length === 0 ? [] : [`needs the signatures of ${missing.join(', ')}`]),
    ...(missingUnknown === 0
      ? []
      : [`needs ${unknown} of owners that the transaction does not name; pass their UTXOs with --utxos`]),
    ...strangers.map((name) => `has a signature of ${name}, which is not a signer there`),
    ...(malformed === 0 ? [] : [`has malformed signatures: ${malformed}`]),
    ...(isComplete ? [`id ${Id.format(Id.hash(bytes))}`] : []),
  ]
}
