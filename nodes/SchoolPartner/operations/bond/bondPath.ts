/** Creating and deleting a bond are one endpoint (the service's document: Endpoints, Provisioning). */
export const BOND_PATH = '/integration/partner/v1/bond-user-class';
