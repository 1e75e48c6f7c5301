import { createPrivateKey, sign } from 'node:crypto'
import { Id, NodeId } from '@firn/codec'
import { StakingKey } from '@firn/keys'
import { Container, ContainerHeader, Epoch } from '@firn/txs'
import * as Case from '../Case.ts'
import * as Suite from '../Suite.ts'

function checkIds(it: Case.Case, container: Container.Container): void {
  const id = Container.id(container)
  Case.equals(it, 'idBytes', id)
  Case.equals(it, 'id', Id.format(id))
  Case.equals(it, 'parentBytes', container.parentID)
  Case.equals(it, 'parent', Id.format(container.parentID))
  Case.equals(it, 'innerBlock', container.block)
  Case.same('bytes of the container', Case.given(it, 'bytes'), Container.encode(container))
}

/** Checks that the certificate's key produces the signature. Both types of signature are deterministic. */
function checkSignature(it: Case.Case, container: Container.SignedContainer, chainId: Uint8Array): void {
  const message = ContainerHeader.encode(Container.header(container, chainId))
  Case.equals(it, 'headerBytes', message)
  Case.equals(it, 'signedHash', Id.hash(message))
  const pem = Case.text(it, 'privateKeyPEM')
  const isRsa = Container.certificate(container)?.publicKey.type === 'rsa'
  const signed = Container.sign(container, chainId, (bytes) =>
    isRsa ? sign('sha256', bytes, createPrivateKey(pem)) : StakingKey.sign(bytes, StakingKey.parsePem(pem)),
  )
  Case.same('bytes after signing again', Case.given(it, 'bytes'), Container.encode(signed))
}

function readEpoch(it: Case.Case, field: string): Epoch.Epoch {
  const record = Case.record(it, field)
  const epoch = {
    pChainHeight: Case.bigint(record, 'pChainHeight'),
    number: Case.bigint(record, 'number'),
    startTime: Case.bigint(record, 'startTime'),
  }
  Case.close(record)
  return epoch
}

/** Checks containers of every type: contents, ids, signatures, verdicts on mutations, and epochs. */
export const proposervmBlocks = Suite.create('proposervm-blocks.json', {
  postFork(it) {
    const chainId = Id.parse(Case.text(it, 'chainID'))
    const container = Container.decode(Case.bytes(it, 'bytes')) as Container.SignedContainer
    checkIds(it, container)
    Case.equals(it, 'timestamp', container.timestamp)
    Case.equals(it, 'pChainHeight', container.pChainHeight)
    Case.equals(it, 'isGraniteEncoding', container.type === 'GraniteBlock')
    Case.equals(it, 'proposer', NodeId.format(Container.proposer(container)))
    Case.equals(it, 'certificate', Container.certificate(container)?.der ?? null)
    Case.same('epoch', readEpoch(it, 'epoch'), Container.epoch(container))
    Container.verify(container, chainId)
    if (Case.has(it, 'headerBytes')) checkSignature(it, container, chainId)
    else Case.same('signature without proposer', 0, container.signature.length)
    return undefined
  },
  option(it) {
    const container = Container.decode(Case.bytes(it, 'bytes'))
    Case.same('type', 'Option', container.type)
    checkIds(it, container)
    return undefined
  },
  preFork(it) {
    const opened = Container.open(Case.bytes(it, 'bytes'))
    Case.same('kind', 'preFork', opened.kind)
    Case.equals(it, 'id', Id.format(opened.id))
    Case.equals(it, 'innerBlock', opened.block)
    Case.same('rejection as a container', true, Case.text(it, 'proposervmParseError') !== '')
    return undefined
  },
  parse(it) {
    const chainId = Id.parse(Case.text(it, 'chainID'))
    const parsed = Case.attempt(() => {
      const container = Container.decode(Case.bytes(it, 'bytes'))
      Container.certificate(container)
      return container
    })
    const refusedBefore = Case.given(it, 'parseWithoutVerificationError') !== null
    Case.same('rejection without verification', refusedBefore, parsed === undefined)
    const verified = Case.verdict(it, () => {
      const container = Container.decode(Case.bytes(it, 'bytes'))
      Container.verify(container, chainId)
      return container
    })
    if (verified === undefined) return undefined
    Case.equals(it, 'id', Id.format(Container.id(verified.value)))
    const goTypes = { Block: 'statelessBlock', GraniteBlock: 'statelessGraniteBlock', Option: 'option' }
    Case.equals(it, 'goType', `*block.${goTypes[verified.value.type]}`)
    return undefined
  },
  parseHeader(it) {
    const parsed = Case.verdict(it, () => ContainerHeader.decode(Case.bytes(it, 'bytes')))
    if (parsed === undefined) return undefined
    Case.equals(it, 'chainID', parsed.value.chain)
    Case.equals(it, 'parentID', parsed.value.parent)
    Case.equals(it, 'bodyID', parsed.value.body)
    return undefined
  },
  newEpoch(it) {
    const epoch = Epoch.newEpoch({
      graniteTime: Case.bigint(it, 'graniteTime'),
      epochDurationSeconds: Case.number(it, 'epochDurationSeconds'),
      parentPChainHeight: Case.bigint(it, 'parentPChainHeight'),
      parentEpoch: readEpoch(it, 'parentEpoch'),
      parentTimestamp: Case.bigint(it, 'parentTimestamp'),
      childTimestamp: Case.bigint(it, 'childTimestamp'),
    })
    Case.same('epoch', readEpoch(it, 'epoch'), epoch)
    return undefined
  },
})
