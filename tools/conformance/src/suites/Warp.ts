import * as Suite from '../Suite.ts'
import { messageChecks } from './warp/messages.ts'
import { validatorChecks } from './warp/validators.ts'

/** Warp messages and payloads, the P-chain's messages of L1s, validator sets, quorum and verification. */
export const warp = Suite.create('warp.json', { ...messageChecks, ...validatorChecks })
