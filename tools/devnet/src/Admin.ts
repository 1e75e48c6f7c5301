import { CHAIN_ALIASES, Hex, Id, type Json } from '@firn/codec'
import { PrivateKey } from '@firn/keys'
import type { Endpoint } from '@firn/node-api'
import { Endpoint as PeerEndpoint } from '@firn/p2p'
import * as FundedWallet from './building/FundedWallet.ts'
import type { Change } from './Change.ts'
import type { Devnet } from './Devnet.ts'
import {
  type Actions,
  type Body,
  bytes,
  createEndpoints,
  indices,
  mismatch,
  text,
  VALIDATOR_ACTIONS,
} from './internal/adminEndpoints.ts'
import { parseChange } from './internal/changeJson.ts'
import { GENESIS_PATH, UPGRADES_PATH } from './internal/networkFiles.ts'

/**
 * Returns the endpoints through which other processes change the devnet: `GET /devnet`, `POST
 * /devnet/messages`, `/devnet/blocks`, `/devnet/uptimes`, `/devnet/transactions`, `/devnet/faults`,
 * `/devnet/disconnect`, `/devnet/advance`. Callers that are not on loopback are rejected.
 */
export function createAdmin(devnet: Devnet): (path: string) => Endpoint | undefined {
  return createEndpoints(devnet, describe, ACTIONS)
}

const ACTIONS: Actions<Devnet> = {
  messages: acceptMessage,
  blocks(devnet, { chain, hash, nodes }) {
    devnet.acceptBlock(text(chain, 'chain'), bytes(hash, 'hash'), indices(nodes))
    return {}
  },
  uptimes(devnet, { chain, validationID: validationId, seconds }) {
    devnet.setUptime(
      text(chain, 'chain'),
      Id.parse(text(validationId, 'validationID')),
      BigInt(text(String(seconds), 'seconds')),
    )
    return {}
  },
  transactions: (devnet, { tx }) => ({ txID: Id.format(devnet.acceptTransaction(bytes(tx, 'tx'))) }),
  ...VALIDATOR_ACTIONS,
  advance,
}

function acceptMessage(devnet: Devnet, { chain, payload, sourceAddress, message, nodes }: Body): Json.Json {
  const name = text(chain ?? 'C', 'chain')
  const accepted = message === undefined ? fromPayload() : bytes(message, 'message')
  if (message !== undefined) devnet.acceptUnsigned(name, accepted, indices(nodes))
  return { message: Hex.encode(accepted), messageID: Id.format(Id.hash(accepted)) }

  function fromPayload(): Uint8Array {
    const known = indices(nodes)
    return devnet.acceptMessage({
      chain: name,
      payload: bytes(payload, 'payload'),
      ...(sourceAddress === undefined ? {} : { sourceAddress: bytes(sourceAddress, 'sourceAddress') }),
      ...(known === undefined ? {} : { nodes: known }),
    })
  }
}

function advance(devnet: Devnet, { blocks = 1, changes = [], seconds = 0 }: Body): Json.Json {
  if (!Array.isArray(changes)) throw mismatch('changes', 'an array of changes', changes)
  if (typeof seconds !== 'number' || !(seconds >= 0))
    throw mismatch('seconds', 'a number of seconds', seconds)
  const parsed: readonly Change[] = changes.map((change) => parseChange(change, devnet))
  devnet.passTime(seconds * 1000)
  devnet.advance(parsed)
  for (let count = 1; count < Number(blocks); count += 1) devnet.advance()
  return {
    height: devnet.state.height.toString(),
    time: devnet.state.time.toString(),
    epoch: epochOf(devnet),
  }
}

function epochOf({ timeline }: Devnet): Json.Json {
  const { number, startTime, pChainHeight } = timeline.epoch()
  return {
    number: number.toString(),
    startTime: startTime.toString(),
    pChainHeight: pChainHeight.toString(),
  }
}

/** Returns the description of a devnet, for `GET /devnet` and for the line printed at startup. */
export function describe(devnet: Devnet): { readonly [member: string]: Json.Json } {
  const { p, x, c } = devnet.chains
  return {
    networkID: devnet.networkId,
    rpcUrl: devnet.rpcUrl,
    infoApi: `${devnet.rpcUrl}/ext/info`,
    pChainApi: `${devnet.rpcUrl}/ext/bc/P`,
    height: devnet.state.height.toString(),
    proposedHeight: devnet.timeline.proposedHeight(devnet.nowMs()).toString(),
    chains: { P: Id.format(p.id), X: Id.format(x.id), C: Id.format(c.id) },
    ...describeChains(devnet),
    l1s: devnet.l1s.map(({ name, subnetId, chain }) => ({
      name,
      subnetID: Id.format(subnetId),
      blockchainID: Id.format(chain.id),
    })),
    validators: devnet.validators.map((validator) => ({
      index: validator.index,
      nodeID: validator.nodeIdText,
      publicKey: Hex.encode(validator.publicKey),
      weight: validator.weight.toString(),
      address: PeerEndpoint.format(validator.address),
      fault: validator.fault as Json.Json,
      ...validator.counters,
    })),
  }
}

/** Returns what a node and a wallet need to use a devnet that builds blocks. */
function describeChains({ builder, bootstrap, rpcUrl }: Devnet): { readonly [member: string]: Json.Json } {
  if (builder === undefined) return {}
  return {
    bootstrapIds: bootstrap.ids,
    bootstrapIps: bootstrap.ips,
    genesisFile: `${rpcUrl}${GENESIS_PATH}`,
    upgradeFile: `${rpcUrl}${UPGRADES_PATH}`,
    heights: Object.fromEntries(
      CHAIN_ALIASES.map((chain) => [chain, builder.chains[chain].blocks.length - 1]),
    ),
    fundedKey: PrivateKey.format(FundedWallet.KEY),
  }
}
