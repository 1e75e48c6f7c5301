import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAggregatorService, createConfiguration } from '@firn/aggregator'
import { Bytes, Hex, Id } from '@firn/codec'
import { createDataApi } from '@firn/data-api'
import { NodeAssignment } from '@firn/demo-network'
import { createDevnet, type Node, State } from '@firn/devnet'
import { Networks } from '@firn/genesis'
import { LedgerState } from '@firn/ledger'
import { type Accepted, Writer } from '@firn/store'
import { openStore, Recordings } from '@firn/store/testing'
import { PlatformBlock, PlatformTx, type UnsignedTx } from '@firn/txs'
import {
  ConversionData,
  L1Message,
  Payload,
  Quorum,
  SignedMessage,
  UnsignedMessage,
  ValidationId,
  ValidatorSet,
  Verification,
} from '@firn/warp'
import { afterAll, expect, test } from 'vitest'

/** P-chain messages that the aggregator of a real network signed, without the signatures. */
const RECORDED: readonly { readonly label: string; readonly message: string }[] = JSON.parse(
  readFileSync(new URL('../vectors/l1-messages.json', import.meta.url), 'utf8'),
)

const PRIMARY = Networks.PRIMARY_NETWORK_ID
const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const startAggregator = async (pChainApi: string, requestTimeout = 30_000) => {
  const aggregator = await createAggregatorService(
    createConfiguration({ pChainApi, apiPort: 0, logLevel: 'off', requestTimeout }),
  )
  closers.push(() => aggregator.close())
  return aggregator
}

/**
 * Starts the replay of a recorded network: creates its ledger in SQL, and a devnet whose validators use this
 * ledger.
 */
const begin = async (name: Recordings.Name) => {
  const { genesis, constants, chains } = Recordings.load(name)
  const store = await openStore()
  closers.push(() => store.close())
  await store.migrate()
  const { writer, state: ledger } = await Writer.open(store, genesis, constants)
  const signers = signersOf(Recordings.load(name))
  let assignment: NodeAssignment.NodeAssignment = new Map()
  const platform = (nodes: readonly Node[]) => {
    assignment = NodeAssignment.assign(signers, nodes)
    return NodeAssignment.toPlatformState(ledger, assignment)
  }
  const devnet = await createDevnet({ validators: signers.length, networkId: genesis.networkId, platform })
  closers.push(() => devnet.close())
  const aggregator = await startAggregator(devnet.rpcUrl)
  const service = await createDataApi({
    store,
    host: '127.0.0.1',
    port: 0,
    alias: 'local',
    limits: undefined,
    aggregatorUrl: aggregator.url,
    aggregateStatus: 200,
    timeoutMs: 600_000,
    version: '0',
  })
  closers.push(() => service.close())
  const accept = async (block: Accepted) => {
    await writer.commit([block])
    if (block.chain === 'P') devnet.follow(NodeAssignment.toPlatformState(ledger, assignment))
  }
  const ask = async (id: Uint8Array) => {
    // The aggregator polls for new heights at this interval.
    await sleep(110)
    const path = `/v1/signatureAggregator/local/aggregateSignatures/${Id.format(id)}`
    const answer = await fetch(service.url + path)
    return {
      status: answer.status,
      body: (await answer.json()) as { signedMessage: string; message: string },
    }
  }
  return { devnet, ledger, blocks: Recordings.follow(ledger, chains), accept, ask }
}

/** Returns all nodes that were ever in a validator set, starting with nodes of the Primary Network. */
function signersOf({ genesis, constants, chains }: Recordings.Recording): Uint8Array[] {
  const ledger = LedgerState.create(genesis, constants)
  const found = new Map<string, Uint8Array>()
  const collect = () => {
    for (const { nodeId } of ledger.tables.member.ordered()) {
      if (!Bytes.isZero(nodeId)) found.set(Hex.encodeBare(nodeId), nodeId)
    }
  }
  collect()
  for (const block of Recordings.follow(ledger, chains)) if (block.chain === 'P') collect()
  return [...found.values()]
}

type L1Tx = UnsignedTx.Of<'ConvertSubnetToL1Tx' | 'RegisterL1ValidatorTx' | 'SetL1ValidatorWeightTx'>

/** Returns the transactions of a block for which validators sign P-chain messages. */
function l1Transactions({ chain, bytes }: Accepted): { readonly id: Uint8Array; readonly tx: L1Tx }[] {
  if (chain !== 'P') return []
  return PlatformBlock.transactions(PlatformBlock.decode(bytes)).flatMap((signed) => {
    const { unsignedTx: tx } = signed
    const isL1 =
      tx.type === 'ConvertSubnetToL1Tx' ||
      tx.type === 'RegisterL1ValidatorTx' ||
      tx.type === 'SetL1ValidatorWeightTx'
    return isL1 ? [{ id: PlatformTx.id(PlatformTx.encode(signed)), tx }] : []
  })
}

/** Returns the P-chain message about a transaction, built from the transaction alone. */
function messageOf(tx: L1Tx, networkId: number): Uint8Array {
  const payload = Payload.encode({
    type: 'AddressedCall',
    sourceAddress: new Uint8Array(),
    payload: L1Message.encode(contentOf(tx)),
  })
  return UnsignedMessage.encode({ networkID: networkId, sourceChainID: PRIMARY, payload })
}

function contentOf(tx: L1Tx): L1Message.L1Message {
  if (tx.type === 'ConvertSubnetToL1Tx') {
    const validators = tx.validators.map(({ nodeID: nodeId, weight, signer }) => ({
      nodeID: nodeId,
      weight,
      blsPublicKey: signer.publicKey,
    }))
    const { subnetID: subnetId, chainID: managerChainId, address: managerAddress } = tx
    const id = ConversionData.id({
      subnetID: subnetId,
      managerChainID: managerChainId,
      managerAddress,
      validators,
    })
    return { type: 'SubnetToL1Conversion', id }
  }
  const { payload } = Payload.decodeAs(SignedMessage.decode(tx.message).unsigned.payload, 'AddressedCall')
  if (tx.type === 'RegisterL1ValidatorTx') {
    const validationId = ValidationId.registered(payload)
    return { type: 'L1ValidatorRegistration', validationID: validationId, registered: true }
  }
  const message = L1Message.decodeAs(payload, 'L1ValidatorWeight')
  if (message.weight > 0n) return message
  return { type: 'L1ValidatorRegistration', validationID: message.validationID, registered: false }
}

/**
 * Returns the subnet whose validators sign: the subnet of the chain with the contract that manages the L1.
 */
function signingSubnet(tx: L1Tx, { tables }: LedgerState.LedgerState): Uint8Array {
  const chainId =
    tx.type === 'ConvertSubnetToL1Tx' ? tx.chainID : SignedMessage.decode(tx.message).unsigned.sourceChainID
  const chain = [...tables.chain.ordered()].find(({ blockchainId }) => Bytes.equals(blockchainId, chainId))
  return chain?.subnetId ?? PRIMARY
}

test.each(['local', 'helicon'] as const)(
  'signs the P-chain message about a transaction only while the message is true, on a devnet with the %s ledger',
  async (name) => {
    const { devnet, ledger, blocks, accept, ask } = await begin(name)
    const { networkId } = ledger.rules.constants
    const signed = new Set<string>()
    const all: { readonly id: Uint8Array; readonly tx: L1Tx }[] = []
    for (const block of blocks) {
      await accept(block)
      for (const { id, tx } of l1Transactions(block)) {
        all.push({ id, tx })
        const { status, body } = await ask(id)
        expect([Id.format(id), tx.type, status, body.message]).toEqual([
          Id.format(id),
          tx.type,
          200,
          undefined,
        ])
        const message = SignedMessage.decode(Hex.decodeBare(body.signedMessage))
        const unsigned = Hex.encode(UnsignedMessage.encode(message.unsigned))
        expect(unsigned).toBe(Hex.encode(messageOf(tx, networkId)))
        const nodes = State.nodesOf(devnet.state, signingSubnet(tx, ledger))
        const validatorSet = ValidatorSet.create(nodes)
        const verified = Verification.verify(message, {
          networkId,
          validatorSet,
          quorum: Quorum.percent(67),
        })
        expect(verified).toMatchObject({ ok: true, totalWeight: validatorSet.totalWeight })
        signed.add(unsigned)
      }
    }
    const recorded = RECORDED.filter(() => networkId === 12345)
    expect(recorded.filter(({ message }) => !signed.has(message))).toEqual([])
    expect([name, all.length, devnet.state.height]).toEqual([
      name,
      name === 'local' ? 15 : 0,
      LedgerState.tip(ledger, 'P').height,
    ])
    // The service and the validators both reject outdated messages. A second aggregator without a cache
    // queries the validators again.
    const other = await startAggregator(devnet.rpcUrl, 3_000)
    const refusals = all.map(async ({ id, tx }) => {
      const { status } = await ask(id)
      if (status === 200) return []
      expect(status).toBe(400)
      const request = { message: Hex.encode(messageOf(tx, networkId)), signingSubnetId: Id.format(PRIMARY) }
      const answer = await fetch(`${other.url}/v1/signatureAggregator/local/aggregateSignatures`, {
        method: 'POST',
        body: JSON.stringify(request),
      })
      const { message } = (await answer.json()) as { message: string }
      return [`${answer.status} ${/refused \(code \d+/.exec(message)?.[0]}`]
    })
    const refused = (await Promise.all(refusals)).flat()
    const gone = '502 refused (code 11'
    expect(refused).toEqual(name === 'local' ? [gone, gone, gone, '502 refused (code 16', gone] : [])
  },
)
