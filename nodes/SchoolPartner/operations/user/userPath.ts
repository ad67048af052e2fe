/** All three creations of a user are one endpoint (the service's document: Endpoints, Provisioning). */
export const USER_PATH = '/integration/partner/v1/user';
