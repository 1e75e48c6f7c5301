import { type Logger, systemClock } from '@firn/runtime'
import type { Registry } from 'prom-client'
import { RETRIES } from './delivery/RetryPolicy.ts'
import { createSender } from './delivery/Sender.ts'
import type { WebhookContext } from './WebhookContext.ts'
import { DEFAULTS, policyOf, type WebhookOptions } from './WebhookOptions.ts'
import { startWebhooks } from './WebhookRunner.ts'

/** Webhooks of a service. */
export interface OpenedWebhooks {
  /** Dependencies of the endpoints. */
  readonly context: WebhookContext
  close(): Promise<void>
}

/**
 * Opens the webhooks of a service, and starts the workers if this process delivers.
 * @throws HttpError `HTTP_CONFIGURATION`
 */
export function openWebhooks(
  options: WebhookOptions = {},
  {
    logger,
    metrics,
    ...given
  }: Omit<WebhookContext, 'policy' | 'send' | 'wake'> & {
    readonly logger: Logger | undefined
    readonly metrics: Registry | undefined
  },
): OpenedWebhooks {
  const { timeoutMs = DEFAULTS.timeoutMs, keepMs = DEFAULTS.keepMs, concurrency, perHost } = options
  const policy = policyOf(options)
  const send = createSender({ policy, timeoutMs, clock: systemClock })
  const runner =
    options.isDelivering === true
      ? startWebhooks({
          ...{ home: given.store, chains: given.evm.chains, send, timeoutMs, keepMs },
          ...{ concurrency, perHost, logger, metrics },
          retries: { ...RETRIES, ...options.retries },
        })
      : undefined
  return {
    context: { ...given, policy, send, wake: () => runner?.wake() },
    close: async () => runner?.close(),
  }
}
