import { Bytes, Codec, Hex, Id, Json, Network, NodeId, ShortId } from '@firn/codec'
import * as Case from '../Case.ts'
import * as Suite from '../Suite.ts'

/** Initial value of the variable into which the reference parses JSON. JSON `null` does not change it. */
const UNCHANGED = Uint8Array.of(9, ...new Uint8Array(31))

/** Checks the fields `result` (cb58) and `resultHex` of an operation. */
function equalsResult(operation: Case.Case, actual: Uint8Array): void {
  Case.equals(operation, 'result', Id.format(actual))
  Case.equals(operation, 'resultHex', Hex.encodeBare(actual))
  Case.close(operation)
}

function checkOperations(it: Case.Case, id: Uint8Array): void {
  const prefix = Case.record(it, 'prefix')
  equalsResult(prefix, Id.prefix(id, ...Case.list(prefix, 'prefixes').map((value) => BigInt(String(value)))))
  const append = Case.record(it, 'append')
  equalsResult(append, Id.append(id, ...Case.list(append, 'suffixes').map(Number)))
  const xor = Case.record(it, 'xor')
  Case.equals(xor, 'result', Id.xor(id, Case.bytes(xor, 'other')))
  Case.close(xor)
  const compare = Case.record(it, 'compare')
  Case.equals(compare, 'result', Bytes.compare(id, Case.bytes(compare, 'other')))
  Case.close(compare)
  for (const bit of Case.records(it, 'bits')) {
    Case.equals(bit, 'bit', Id.bit(id, Case.number(bit, 'i')))
    Case.close(bit)
  }
}

function checkParse(it: Case.Case, parse: (text: string) => Uint8Array): undefined {
  const parsed = Case.verdict(it, () => parse(Case.text(it, 'text')))
  if (parsed !== undefined) Case.equals(it, 'bytes', parsed.value)
}

/** Returns the name in the id of a VM or feature extension: ASCII letters followed by zeros. */
function readName(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return new TextDecoder('utf-8', { fatal: true }).decode(end === -1 ? bytes : bytes.subarray(0, end))
}

/** Names that the reference displays for VM ids. Other ids are displayed as ids. */
const VM_NAMES: readonly string[] = ['platformvm', 'avm', 'evm', 'subnetevm', 'xsvm']

/** Checks ids of 32 and 20 bytes, NodeIDs, values derived from ids, and names of networks. */
export const ids = Suite.create('ids.json', {
  ID(it) {
    const id = Case.bytes(it, 'bytes')
    Case.equals(it, 'string', Id.format(id))
    Case.equals(it, 'bytes', Id.parse(Case.text(it, 'string')))
    Case.equals(it, 'hex', Hex.encodeBare(id))
    Case.equals(it, 'json', Json.stringify(Codec.id.toJSON(id)))
    Case.equals(it, 'bytes', Codec.id.fromJSON(Json.parse(Case.text(it, 'json'))))
    checkOperations(it, id)
    return undefined
  },
  ShortID(it) {
    const id = Case.bytes(it, 'bytes')
    Case.equals(it, 'string', ShortId.format(id))
    Case.equals(it, 'bytes', ShortId.parse(Case.text(it, 'string')))
    Case.equals(it, 'hex', Hex.encodeBare(id))
    Case.equals(it, 'json', Json.stringify(Codec.shortId.toJSON(id)))
    Case.equals(it, 'bytes', Codec.shortId.fromJSON(Json.parse(Case.text(it, 'json'))))
    Case.equals(it, 'nodeID', NodeId.format(id))
    Case.equals(it, 'bytes', NodeId.parse(Case.text(it, 'nodeID')))
    Case.equals(it, 'nodeIDJSON', Json.stringify(Codec.nodeId.toJSON(id)))
    Case.equals(it, 'bytes', Codec.nodeId.fromJSON(Json.parse(Case.text(it, 'nodeIDJSON'))))
    return undefined
  },
  constant(it) {
    const bytes = Case.bytes(it, 'bytes')
    Case.equals(it, 'string', Id.format(bytes))
    Case.equals(it, 'bytes', Id.parse(Case.text(it, 'string')))
    const name = readName(bytes)
    Case.equals(it, 'vmName', VM_NAMES.includes(name) ? name : Id.format(bytes))
    if (!VM_NAMES.includes(name) && name !== '') Case.equals(it, 'name', name)
    if (name === '') Case.same('Id.EMPTY', bytes, Id.EMPTY)
    return undefined
  },
  validationID(it) {
    const subnetId = Id.parse(Case.text(it, 'subnetID'))
    Case.equals(it, 'subnetIDBytes', subnetId)
    const validationId = Id.append(subnetId, Case.number(it, 'index'))
    Case.equals(it, 'validationID', Id.format(validationId))
    Case.equals(it, 'validationIDBytes', validationId)
    return undefined
  },
  inputID(it) {
    const txId = Id.parse(Case.text(it, 'txID'))
    Case.equals(it, 'txIDBytes', txId)
    const inputId = Id.prefix(txId, BigInt(Case.number(it, 'outputIndex')))
    Case.equals(it, 'inputID', Id.format(inputId))
    Case.equals(it, 'inputIDBytes', inputId)
    return undefined
  },
  parseID: (it) => checkParse(it, Id.parse),
  parseNodeID: (it) => checkParse(it, NodeId.parse),
  parseIDText: (it) => checkParse(it, (text) => Codec.id.fromJSON(Json.parse(text))),
  parseIDJSON(it) {
    const parsed = Case.verdict(it, () => {
      const json = Json.parse(Case.text(it, 'json'))
      return json === null ? UNCHANGED : Codec.id.fromJSON(json)
    })
    if (parsed === undefined) return undefined
    Case.equals(it, 'unchanged', parsed.value === UNCHANGED)
    Case.equals(it, 'bytes', parsed.value)
    return undefined
  },
  network(it) {
    const networkId = Case.number(it, 'networkID')
    Case.equals(it, 'networkName', Network.formatName(networkId))
    Case.equals(it, 'networkID', Network.parseName(Case.text(it, 'networkName')))
    Case.equals(it, 'hrp', Network.hrp(networkId))
    return undefined
  },
  networkName(it) {
    const parsed = Case.verdict(it, () => Network.parseName(Case.text(it, 'text')))
    if (parsed !== undefined) Case.equals(it, 'networkID', parsed.value)
    return undefined
  },
})
