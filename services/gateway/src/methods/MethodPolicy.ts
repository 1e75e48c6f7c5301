import { isActing } from '@firn/rpc'
import { GatewayError } from '../GatewayError.ts'
import type { Call } from '../json-rpc/RequestReader.ts'
import { CLASSES, find, METHODS, SUBSCRIPTIONS } from './Methods.ts'

/** Which methods of a chain callers may use. */
export interface MethodPolicyOptions {
  /** Exact names of methods to allow besides those that are allowed by default. */
  readonly allowMethods?: readonly string[] | undefined
  /** Names of methods to refuse even if they are allowed; `*` matches any characters. By default none. */
  readonly deny?: readonly string[] | undefined
}

/**
 * Throws if a call may not be forwarded.
 * @throws GatewayError `GATEWAY_METHOD`
 */
export type MethodPolicy = (call: Pick<Call, 'method' | 'subscription'>) => void

/** Names of the methods that are allowed by default. */
export const ALLOWED: readonly string[] = Object.entries(METHODS)
  .filter(([, method]) => CLASSES[method.class].isAllowed)
  .map(([name]) => name)

/** Creates a policy. It refuses every method that is neither allowed by default nor named. */
export function createMethodPolicy({ allowMethods = [], deny = [] }: MethodPolicyOptions): MethodPolicy {
  const allowed = new Set([...ALLOWED, ...allowMethods])
  const denied = deny.map(patternOf)
  return ({ method, subscription }) => {
    if (!allowed.has(method) || denied.some((pattern) => pattern.test(method)))
      throw new GatewayError('GATEWAY_METHOD', `the method ${method} is not available`)
    if (subscription === undefined || SUBSCRIPTIONS.includes(subscription)) return
    const message = `the subscription ${JSON.stringify(subscription)} is not available; use one of ${SUBSCRIPTIONS.join(', ')}`
    throw new GatewayError('GATEWAY_METHOD', message)
  }
}

/** Returns whether a call may be sent to a second node after the first one failed. */
export function isRepeatable({ method }: Call): boolean {
  const known = find(method)
  return known === undefined ? !isActing(method) : CLASSES[known.class].isRepeatable
}

/** Returns whether all calls of the method by one caller must reach the same node. */
export function isSticky({ method }: Call): boolean {
  const known = find(method)
  return known === undefined ? /filter/i.test(method) : CLASSES[known.class].isSticky
}

/** Converts a method name, in which `*` matches any characters, to a regular expression. */
export function patternOf(name: string): RegExp {
  const parts = name.split(/\*+/).map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
