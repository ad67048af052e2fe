import { userCreation } from '../../../shared/contract/provisioning';

/** What every user creation sends of an item that sends its own fields: all that the service's table names, whatever the panel asks for. */
export const userFields: readonly string[] = Object.keys(userCreation.shape);
