/**
 * Codes of the errors of this package. `DEPLOY_DOCKERFILE`: a Dockerfile that cannot be read or rehearsed.
 * `DEPLOY_STEP`: a step of a rehearsal failed. `DEPLOY_PROMQL`: a PromQL expression or series that cannot be read or evaluated.
 */
export type DeployErrorCode = 'DEPLOY_DOCKERFILE' | 'DEPLOY_STEP' | 'DEPLOY_PROMQL'

/** The error class of this package. */
export class DeployError extends Error {
  override readonly name = 'DeployError'
  readonly code: DeployErrorCode

  constructor(code: DeployErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
