import { ERROR } from '../AppRequests.ts'
import { createCounters } from '../Counters.ts'
import { MAX_TRACKED_SUBNETS, type Own } from '../Handshake.ts'
import type { Limits } from '../Limits.ts'
import { P2pError } from '../P2pError.ts'
import type { AppRequestHandler } from '../Peer.ts'
import type { PeerOptions } from '../PeerOptions.ts'
import { SYSTEM, type Timers } from '../Timers.ts'
import * as Version from '../Version.ts'
import type { PeerContext } from './LivePeer.ts'

const SUBNET_ID_LENGTH = 32

/** Returns the time in Unix seconds. */
export function seconds(timers: Timers): bigint {
  return BigInt(Math.floor(timers.now() / 1_000))
}

const refuse: AppRequestHandler = (_peer, _request, reply) =>
  reply.error(ERROR.unregisteredHandler, 'unregistered handler')

/** Defaults that differ between the dialling and the listening side. */
export interface Defaults {
  readonly role: PeerContext['role']
  readonly limits: Limits
  readonly compress: boolean
  readonly allSubnets: boolean
}

/** The part of a context that depends only on the options. */
export type BaseContext = Omit<
  PeerContext,
  'address' | 'known' | 'peersFor' | 'onClaims' | 'onReady' | 'onClose'
>

/**
 * Returns the context for the options of either side.
 * @throws P2pError `P2P_ARGUMENT`
 */
export function baseContext(options: PeerOptions, defaults: Defaults): BaseContext {
  const own = ownOf(options, defaults)
  const limits = { ...defaults.limits, ...options.limits }
  return {
    role: defaults.role,
    own,
    rules: {
      own,
      currentAcps: new Set(options.currentAcps),
      clockSkewSeconds: limits.clockSkewSeconds,
      bls: options.bls,
      validatorKey: options.validatorKey ?? (() => null),
    },
    limits,
    timers: options.timers ?? SYSTEM,
    counters: createCounters(),
    compress: options.compress ?? defaults.compress,
    open: new Set(),
    onAppRequest: options.onAppRequest ?? refuse,
    chains: options.chains ?? {},
    onGossip: options.onGossip,
    onMessage: options.onMessage,
  }
}

function ownOf(options: PeerOptions, defaults: Defaults): Own {
  const trackedSubnets = options.trackedSubnets ?? []
  if (
    trackedSubnets.length > MAX_TRACKED_SUBNETS ||
    trackedSubnets.some((subnet) => subnet.length !== SUBNET_ID_LENGTH)
  ) {
    throw new P2pError(
      'P2P_ARGUMENT',
      `trackedSubnets: expected at most ${MAX_TRACKED_SUBNETS} subnet ids of ${SUBNET_ID_LENGTH} bytes each`,
    )
  }
  return {
    networkId: options.networkId,
    version: options.version ?? Version.CLAIMED,
    compatibility: options.compatibility ?? Version.compatibility(options.networkId),
    trackedSubnets,
    allSubnets: options.allSubnets ?? defaults.allSubnets,
    supportedAcps: options.supportedAcps ?? [],
    objectedAcps: options.objectedAcps ?? [],
  }
}
