import { Bytes, type Codec, Id, Json } from '@firn/codec'
import {
  AtomicBatch,
  AtomicFees,
  AtomicSyntax,
  AtomicTx,
  AtomicUtxo,
  AvmBlock,
  AvmSyntax,
  AvmTx,
  AvmUtxo,
  Container,
  EvmBlock,
  NodeJson,
  PlatformBlock,
  PlatformSyntax,
  PlatformTx,
  PlatformUtxo,
  Vertex,
} from '@firn/txs'
import * as Corpus from '../Corpus.ts'
import { ofBytes, ofText, type Target } from '../Target.ts'

const VECTORS = 'txs/vectors'
const NETWORK_ID = 12345
const CHECKSUM_LENGTH = 4

/**
 * Returns a description of the problem if a structure with exactly one valid encoding is encoded to other
 * bytes than its input.
 */
const formsOf = (input: Uint8Array, output: Uint8Array): string | undefined =>
  Bytes.equals(input, output) ? undefined : 'decoded bytes encode to different bytes'

/**
 * Creates a target for a binary structure. Checks may reject a decoded value, but only with errors of Firn,
 * so nothing is caught here.
 */
const structure = <T>(
  name: string,
  corpus: () => readonly Uint8Array[],
  { decode, encode }: { decode(bytes: Uint8Array): T; encode(value: T): Uint8Array },
  check?: (value: T) => void,
): Target =>
  ofBytes(name, corpus, (input) => {
    const value = decode(input)
    const problem = formsOf(input, encode(value))
    check?.(value)
    return problem
  })

/**
 * Creates a target for JSON. Accepted JSON is encoded to bytes, and the bytes must decode to a value with the
 * same JSON.
 */
const json = <T>(
  name: string,
  corpus: () => readonly Uint8Array[],
  codec: Codec.Codec<T>,
  context?: Codec.JsonContext,
): Target =>
  ofText(
    name,
    () => corpus().map((bytes) => Json.stringify(codec.toJSON(codec.decode(bytes), context))),
    (text) => {
      const value = codec.fromJSON(Json.parse(text), context)
      const printed = Json.stringify(codec.toJSON(value, context))
      const again = Json.stringify(codec.toJSON(codec.decode(codec.encode(value)), context))
      return printed === again ? undefined : 'the JSON of a value differs from the JSON of its encoded bytes'
    },
  )

const chain = { networkId: NETWORK_ID, blockchainId: Id.EMPTY, avaxAssetId: Id.EMPTY, xChainId: Id.EMPTY }
const avmTxs = () => Corpus.bytes(`${VECTORS}/avm-txs`, 'bytes', /valid/)
const avmBlocks = () => Corpus.bytes(`${VECTORS}/avm-blocks`, 'bytes', /^block$/)
const atomicTxs = () => Corpus.bytes(`${VECTORS}/cchain-atomic-txs`, 'bytes', /valid/)
const batches = () => Corpus.bytes(`${VECTORS}/cchain-atomic-txs`, 'bytes', /batch/)
const utxos = () => Corpus.bytes(`${VECTORS}/utxos`, 'bytes', /valid/)
const platformTxs = () => Corpus.bytes(`${VECTORS}/platform-txs`, 'bytes', /valid/)
const platformBlocks = () => Corpus.bytes(`${VECTORS}/platform-blocks`, 'bytes', /valid/)
const containers = () => [
  ...Corpus.bytes(`${VECTORS}/proposervm-blocks`, 'bytes', /postFork|option/),
  ...recordedContainers(),
]
const recordedContainers = () =>
  Corpus.bytes(`${VECTORS}/recorded-x-c`, 'containerBytes', /cBlock/).map((bytes) =>
    bytes.subarray(0, -CHECKSUM_LENGTH),
  )

/**
 * Returns the recorded UTXOs that a codec can decode. UTXOs of other chains have types that the codec does
 * not know.
 */
const readBy = <T>({ decode }: { decode(bytes: Uint8Array): T }) =>
  utxos().filter((bytes) => {
    try {
      return decode(bytes) !== undefined
    } catch {
      return false
    }
  })

/** Targets for transactions, blocks, UTXOs and containers of the Primary Network: bytes, JSON and checks. */
export const txTargets: readonly Target[] = [
  structure('container', containers, Container, (container) => {
    Container.id(container)
    Container.proposer(container)
    Container.verify(container, Id.EMPTY)
  }),
  ofBytes(
    'evm block',
    () => recordedContainers().map((bytes) => Container.open(bytes).block),
    (input) => {
      const block = EvmBlock.decode(input)
      const txs = AtomicBatch.of(block, 0n)
      return formsOf(block.extData, AtomicBatch.encode(txs))
    },
  ),
  structure('avm tx', avmTxs, AvmTx, (tx) => {
    AvmTx.inputIds(tx)
    AvmUtxo.of(tx, Id.EMPTY).map(AvmUtxo.encode)
    AvmSyntax.assertValid(tx, { ...chain, blockchainId: tx.unsignedTx.blockchainID })
  }),
  structure('avm block', avmBlocks, AvmBlock),
  structure('avm utxo', () => readBy(AvmUtxo), AvmUtxo, AvmUtxo.assertValid),
  structure(
    'vertex',
    () => Corpus.bytes(`${VECTORS}/avm-blocks`, 'bytes', /^vertex$/),
    Vertex,
    Vertex.assertValid,
  ),
  structure('atomic tx', atomicTxs, AtomicTx, (tx) => {
    AtomicSyntax.assertValid(tx.unsignedTx, { ...chain, blockchainId: tx.unsignedTx.blockchainID })
    AtomicFees.blockFeeContribution(tx, Id.EMPTY, 1n)
  }),
  structure('atomic batch', batches, AtomicBatch),
  structure('atomic utxo', () => readBy(AtomicUtxo), AtomicUtxo, AtomicUtxo.assertValid),
  structure('platform tx', platformTxs, PlatformTx, ({ unsignedTx }) => {
    PlatformSyntax.assertValid(unsignedTx, chain)
  }),
  structure('platform block', platformBlocks, PlatformBlock),
  structure('platform utxo', () => readBy(PlatformUtxo), PlatformUtxo, PlatformUtxo.assertValid),
  json('avm tx, from json', avmTxs, AvmTx.codec, NodeJson.context(NETWORK_ID, 'X')),
  json('avm block, from json', avmBlocks, AvmBlock.codec, NodeJson.context(NETWORK_ID, 'X')),
  json('atomic tx, from json', atomicTxs, AtomicTx.codec),
  json('platform tx, from json', platformTxs, PlatformTx.codec, NodeJson.context(NETWORK_ID, 'P')),
  json('platform block, from json', platformBlocks, PlatformBlock.codec, NodeJson.context(NETWORK_ID, 'P')),
]
