import { Hex, Id } from '@firn/codec'
import { Container, PlatformBlock, PlatformTx, Utxo } from '@firn/txs'
import type { Recorded, Recording } from './recordings.ts'

/**
 * Number of lanes. A lane is a sequence of transactions in which each transaction spends the outputs of the previous
 * one.
 */
const LANES = 1000
/**
 * Number of outputs of the transactions that fill the lanes at the start. A block's gas limits the number.
 */
const SPLIT = 50
/** Seconds between the blocks that split outputs, so that the gas capacity recovers. */
const PAUSE = 60n
const FEE = 100_000n
/** A placeholder of about the size of a proposer's certificate. Nothing reads it. */
const CERTIFICATE = new Uint8Array(1200).fill(1)
const SIGNATURE = new Uint8Array(512).fill(2)

/** A transferable UTXO of AVAX. */
export type TransferUtxo = {
  readonly txId: Uint8Array
  readonly outputIndex: number
  readonly amount: bigint
}

/** The staker that proposes and signs all blocks of a chain. */
export interface Proposer {
  /** Certificate in DER. */
  readonly certificate: Uint8Array
  /** Signs a message with the certificate's key. */
  readonly sign: (message: Uint8Array) => Uint8Array
}

/** The chain's current tip. */
interface Tip {
  readonly containerId: Uint8Array
  readonly parentId: Uint8Array
  readonly height: bigint
  readonly time: bigint
}

/**
 * Yields a P-chain of any length on the genesis of a recorded network. Each second there is a block with one
 * transaction of two inputs and two outputs, which spends outputs from a thousand blocks before. The state
 * therefore doesn't grow, and spent outputs belong to earlier batches. The signatures of transactions are zeros, because
 * the ledger doesn't check them. Containers have placeholders of a certificate and a signature, unless a proposer is
 * given for each height. For tests and benches only.
 */
export function* longChain(
  recording: Recording,
  blocks: number,
  proposerOf?: (height: bigint) => Proposer,
): Iterable<Recorded> {
  let tip = start(recording)
  let made = 0
  const lanes: TransferUtxo[][] = []
  let rest = richest(recording)
  while (lanes.length < LANES && made < blocks) {
    const share = rest.amount / BigInt(2 * (LANES - lanes.length + SPLIT))
    const amounts = Array.from({ length: SPLIT }, () => share)
    const total = share * BigInt(SPLIT)
    const [tx, outputs] = transaction(recording, [rest], [...amounts, rest.amount - total - FEE])
    rest = outputs.at(-1) as TransferUtxo
    for (let i = 0; i + 1 < SPLIT; i += 2) lanes.push(outputs.slice(i, i + 2))
    const next = extend(tip, tx, PAUSE, proposerOf)
    tip = next.tip
    made++
    yield next.block
  }
  for (let lane = 0; made < blocks; made++, lane = (lane + 1) % lanes.length) {
    const spent = lanes[lane] as TransferUtxo[]
    const sum = spent.reduce((all, { amount }) => all + amount, 0n) - FEE
    const [tx, outputs] = transaction(recording, spent, [sum / 3n, sum - sum / 3n])
    lanes[lane] = outputs
    const next = extend(tip, tx, 1n, proposerOf)
    tip = next.tip
    yield next.block
  }
}

/**
 * Yields a P-chain on the genesis of a recorded network, with a block for each item of `spent`: it has one transaction
 * that spends these UTXOs and creates two outputs. For tests and benches only.
 */
export function* spendingChain(
  recording: Recording,
  spent: Iterable<readonly TransferUtxo[]>,
): Iterable<Recorded> {
  let tip = start(recording)
  for (const utxos of spent) {
    const sum = utxos.reduce((all, { amount }) => all + amount, 0n) - FEE
    const [tx] = transaction(recording, utxos, [sum / 3n, sum - sum / 3n])
    const next = extend(tip, tx, 1n)
    tip = next.tip
    yield next.block
  }
}

function start({ genesis }: Recording): Tip {
  const first = genesis.firstBlock.id
  return { containerId: first, parentId: first, height: 0n, time: genesis.platform.timestamp }
}

/** Returns the unlocked UTXO of the genesis with the highest amount. */
function richest({ genesis }: Recording): TransferUtxo {
  const all = genesis.platform.utxos.flatMap(({ txID: txId, outputIndex, output }) =>
    output.type === 'TransferOutput' ? [{ txId, outputIndex, amount: output.amount }] : [],
  )
  const [found] = all.sort((a, b) => (a.amount > b.amount ? -1 : 1))
  if (found === undefined) throw new RangeError('the genesis has no unlocked UTXO that the test could spend')
  return found
}

function transaction(
  { genesis: { avaxAssetId: assetId, networkId } }: Recording,
  spent: readonly TransferUtxo[],
  amounts: readonly bigint[],
): [tx: PlatformTx.PlatformTx, outputs: TransferUtxo[]] {
  const owner = Id.hash((spent[0] as TransferUtxo).txId).slice(0, 20)
  const outputs = amounts.map((amount, i) => {
    const addresses = [i === 0 ? owner : ADDRESS]
    return {
      assetID: assetId,
      output: { type: 'TransferOutput' as const, amount, locktime: 0n, threshold: 1, addresses },
    }
  })
  const inputs = spent.map(({ txId, outputIndex, amount }) => {
    const input = { type: 'TransferInput' as const, amount, signatureIndices: [0] }
    return { txID: txId, outputIndex, assetID: assetId, input }
  })
  const unsignedTx = {
    type: 'BaseTx' as const,
    networkID: networkId,
    blockchainID: Id.EMPTY,
    outputs,
    inputs,
    memo: NONE,
  }
  const credentials = spent.map(() => ({ type: 'Credential' as const, signatures: [new Uint8Array(65)] }))
  const tx = { unsignedTx, credentials }
  const txId = PlatformTx.id(PlatformTx.encode(tx))
  return [
    tx,
    Utxo.of(txId, outputs).map(({ outputIndex, output: { amount } }) => ({
      txId,
      outputIndex,
      amount,
    })),
  ]
}

const NONE = new Uint8Array()
const ADDRESS = Hex.decodeBare('3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c')

function extend(
  before: Tip,
  tx: PlatformTx.PlatformTx,
  seconds: bigint,
  proposerOf?: (height: bigint) => Proposer,
): { block: Recorded; tip: Tip } {
  const { parentId, containerId } = before
  const [height, time] = [before.height + 1n, before.time + seconds]
  const bytes = PlatformBlock.encode({
    type: 'BanffStandardBlock',
    time,
    parentID: parentId,
    height,
    txs: [tx],
  })
  const proposer = proposerOf?.(height)
  const unsigned = {
    type: 'GraniteBlock' as const,
    parentID: containerId,
    timestamp: time,
    pChainHeight: before.height,
    certificate: proposer?.certificate ?? CERTIFICATE,
    block: bytes,
    epoch: { pChainHeight: before.height, number: 1n, startTime: before.time },
    signature: SIGNATURE,
  }
  const container = proposer === undefined ? unsigned : Container.sign(unsigned, Id.EMPTY, proposer.sign)
  const id = Container.id(container)
  const outer = { id, bytes: Container.encode(container), acceptedAt: time * 1_000_000_000n }
  const tip = { containerId: id, parentId: PlatformBlock.id(bytes), height, time }
  return { block: { chain: 'P', bytes, parentId, container: outer }, tip }
}
