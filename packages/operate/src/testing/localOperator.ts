import { randomBytes } from 'node:crypto'
import * as LocalAccess from '../LocalAccess.ts'
import * as OperatorAccess from '../OperatorAccess.ts'

/** An operator on this machine, for tests only. */
export interface LocalOperator {
  /** Gives the operator access to the services that have it. */
  readonly local: LocalAccess.LocalAccess
  /** Headers with the token of the operator. */
  readonly headers: Readonly<Record<string, string>>
}

/** Creates an operator on this machine. For tests only. */
export function createLocalOperator(): LocalOperator {
  const token = `firnop_${randomBytes(32).toString('base64url')}`
  return {
    local: LocalAccess.create(token, { now: Date.now, random: randomBytes }),
    headers: { [OperatorAccess.TOKEN_HEADER]: token },
  }
}
