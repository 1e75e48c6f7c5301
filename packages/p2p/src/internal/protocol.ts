import { Bytes } from '@firn/codec'
import { MAX_PER_LIST, type PeersQuery } from '../ClaimBook.ts'
import type { AppGossip, GetPeerList, Handshake as HandshakeMessage, PeerList, Ping } from '../gen/p2p_pb.ts'
import * as Handshake from '../Handshake.ts'
import type * as Message from '../Message.ts'
import { P2pError } from '../P2pError.ts'
import * as PushGossip from '../PushGossip.ts'
import { isRequest, requestKind } from './chainMessages.ts'
import * as HandshakeRules from './handshakeRules.ts'
import type { LivePeer } from './LivePeer.ts'
import { isAnswer, isAnswerKind } from './OutboundRequests.ts'
import { ID_LENGTH } from './request.ts'

const MAX_UPTIME = 100

type Handlers = {
  readonly [Kind in Message.Case]?: (
    peer: LivePeer,
    value: Extract<Message.Body, { case: Kind }>['value'],
  ) => void
}

const handlers: Handlers = {
  ping: onPing,
  pong: onPong,
  handshake: onHandshake,
  peerList: onPeerList,
  getPeerList: onGetPeerList,
  appGossip: (peer, gossip) => whenReady(peer, () => onGossip(peer, gossip)),
  appRequest: (peer, request) => whenReady(peer, () => peer.inbound.receiveApp(request)),
}

/** Returns whether this kind of message of the peer is handled. */
export function isHandled(peer: LivePeer, kind: Message.Case): boolean {
  const request = requestKind(kind)
  if (request !== undefined) return peer.context.chains[request] !== undefined
  if (kind === 'appGossip') return peer.context.onGossip !== undefined
  return handlers[kind] !== undefined || isAnswerKind(kind)
}

/**
 * Handles a message.
 * @throws P2pError if the peer violated a rule that ends the connection
 */
export function receive(peer: LivePeer, body: Message.Body): void {
  if (!isHandled(peer, body.case)) peer.context.counters.ignoredMessages++
  else if (isAnswer(body)) whenReady(peer, () => peer.requests.answer(body))
  else if (isRequest(body)) whenReady(peer, () => peer.inbound.receiveChain(body))
  else
    (handlers[body.case] as ((peer: LivePeer, value: Message.Body['value']) => void) | undefined)?.(
      peer,
      body.value,
    )
}

/** Returns the time in Unix seconds. */
function now(peer: LivePeer): bigint {
  return BigInt(Math.floor(peer.context.timers.now() / 1_000))
}

/** Checks the rules that depend on time, then sends a Ping. */
export function tick(peer: LivePeer): void {
  const { role, timers, own } = peer.context
  try {
    if (peer.info !== undefined) {
      HandshakeRules.checkVersion(peer.info.version, own, now(peer))
      recheckBls(peer, peer.info)
    }
  } catch (error) {
    if (!(error instanceof P2pError)) throw error
    peer.close(error)
    return
  }
  if (role === 'client' && peer.pingSentAt !== undefined) return
  if (peer.send({ case: 'ping', value: {} })) peer.pingSentAt = timers.monotonic()
}

function recheckBls(peer: LivePeer, info: Handshake.PeerInfo): void {
  const { rules } = peer.context
  const key = rules.validatorKey(peer.nodeId)
  if (key === null || (peer.checkedKey !== null && Bytes.equals(peer.checkedKey, key))) return
  HandshakeRules.checkBlsSignature(info, peer.nodeId, rules)
  peer.checkedKey = key
}

function onPing(peer: LivePeer, ping: Ping): void {
  if (ping.uptime > MAX_UPTIME) {
    throw new P2pError(
      'P2P_PING_UPTIME',
      `ping: expected an uptime of at most ${MAX_UPTIME}, got ${ping.uptime}`,
    )
  }
  peer.observedUptime = ping.uptime
  if (peer.context.role === 'node') {
    peer.send({ case: 'pong', value: {} })
    return
  }
  // Pings that are read together are answered with one Pong: a node accepts only one Pong and closes the
  // connection if it receives a second one.
  if (peer.isPongDue) return
  peer.isPongDue = true
  setImmediate(() => {
    peer.isPongDue = false
    peer.send({ case: 'pong', value: {} })
  })
}

function onPong(peer: LivePeer): void {
  if (peer.pingSentAt === undefined)
    throw new P2pError('P2P_UNEXPECTED_PONG', 'unexpected Pong: no Ping is outstanding')
  peer.roundTripMs = peer.context.timers.monotonic() - peer.pingSentAt
  peer.pingSentAt = undefined
}

/** Sends this side's Handshake if it has not been sent yet. */
export function sendHandshake(peer: LivePeer): void {
  if (peer.isHandshakeSent) return
  peer.isHandshakeSent = true
  const { own, address, known } = peer.context
  peer.send(Handshake.build(own, address(), known(), now(peer)))
}

function onHandshake(peer: LivePeer, handshake: HandshakeMessage): void {
  if (peer.info !== undefined)
    throw new P2pError('P2P_SECOND_HANDSHAKE', 'expected one Handshake per connection, got a second')
  const { rules } = peer.context
  const { info, known } = HandshakeRules.check(handshake, peer.peerCertificate, rules, now(peer))
  peer.info = info
  peer.known = known
  peer.checkedKey = rules.bls === undefined ? null : rules.validatorKey(peer.nodeId)
  sendHandshake(peer)
  // A Handshake is always answered with a PeerList, even an empty one, because it makes the other side ready.
  sendPeerList(peer, { known, allSubnets: info.allSubnets })
}

function sendPeerList(peer: LivePeer, query: PeersQuery): void {
  const claims = peer.context.peersFor(peer, query).slice(0, MAX_PER_LIST)
  peer.send({ case: 'peerList', value: { claimedIpPorts: claims } })
}

function onPeerList(peer: LivePeer, list: PeerList): void {
  // A PeerList before the peer's Handshake is ignored; the peer must send another PeerList after its
  // Handshake.
  if (peer.info === undefined) {
    peer.context.counters.earlyMessages++
    return
  }
  if (peer.state === 'handshaking') {
    peer.state = 'ready'
    peer.keepalive.ready()
    peer.context.onReady(peer)
  }
  peer.context.onClaims(peer, list.claimedIpPorts)
}

function onGetPeerList(peer: LivePeer, request: GetPeerList): void {
  if (peer.state !== 'ready') {
    peer.context.counters.earlyMessages++
    return
  }
  const known = HandshakeRules.readKnownPeers(
    request.knownPeers ?? { filter: new Uint8Array(0), salt: new Uint8Array(0) },
  )
  const query = { known, allSubnets: request.allSubnets }
  const claims = peer.context.peersFor(peer, query).slice(0, MAX_PER_LIST)
  // A node without new addresses does not answer a GetPeerList.
  if (claims.length > 0) peer.send({ case: 'peerList', value: { claimedIpPorts: [...claims] } })
}

function onGossip(peer: LivePeer, { chainId, appBytes }: AppGossip): void {
  const gossip = readGossip(appBytes)
  if (gossip === undefined || chainId.length !== ID_LENGTH) peer.context.counters.malformedMessages++
  else peer.context.onGossip?.({ chainId: chainId.slice(), ...gossip }, peer)
}

/** Returns the content of a gossip message as a copy, or undefined if it is malformed. */
function readGossip(appBytes: Uint8Array): PushGossip.PushGossip | undefined {
  try {
    return PushGossip.decode(appBytes.slice())
  } catch (error) {
    if (error instanceof P2pError) return undefined
    throw error
  }
}

function whenReady(peer: LivePeer, act: () => void): void {
  if (peer.state === 'ready') act()
  else peer.context.counters.earlyMessages++
}
