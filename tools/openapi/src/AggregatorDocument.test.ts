import { openApiDocument } from '@firn/aggregator'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'

describe('OpenAPI document of the signature aggregator', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...(await openApiDocument()) })
    expect([valid, errors]).toEqual([true, undefined])
  })

  it('follows the recommended rules of a linter', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const source = JSON.stringify(await openApiDocument())
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
    const found = problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
    // Health checks and metrics have no errors of the client.
    expect(found.filter((text) => !text.startsWith('operation-4xx-response'))).toEqual([])
  })
})
