import Fastify from 'fastify'
import { Registry } from 'prom-client'
import { createConfiguration } from './configuration/Configuration.ts'
import { app, serverOptions } from './http/App.ts'
import type { AppDependencies } from './http/AppDependencies.ts'
import { VERSION } from './Version.ts'

/** Returns the OpenAPI document that the service serves at `/openapi.json`, without starting the service. */
export async function openApiDocument(): Promise<Readonly<Record<string, unknown>>> {
  const server = Fastify(serverOptions)
  // Routes use the other dependencies only to answer requests.
  const dependencies: Partial<AppDependencies> = {
    configuration: createConfiguration({ rateLimitPerMinute: 0 }),
    register: new Registry(),
    version: VERSION,
  }
  await server.register(app(dependencies as AppDependencies))
  try {
    return (await server.inject('/openapi.json')).json()
  } finally {
    await server.close()
  }
}
