/** What the sandbox's world is made of. Field names are ours; the areas write them under the service's names. */

export interface Named {
	readonly id: string;
	readonly name: string;
}

export interface Stage extends Named {
	readonly description: string;
	readonly grades: ReadonlyArray<Named & { readonly description: string }>;
}

export interface Address {
	readonly zip: string;
	readonly city: string;
	readonly state: string;
	readonly address: string;
	readonly number: string;
	readonly neighborhood: string;
	readonly complement: string;
}

export interface Tenant extends Named {
	readonly externalId: string;
	readonly brandName: string;
}

export interface School extends Named {
	readonly externalId: string;
	readonly taxId: string;
	readonly email: string;
	readonly addresses: readonly Address[];
	readonly stages: readonly Stage[];
	readonly shifts: readonly Named[];
}

export interface SchoolClass extends Named {
	readonly school: School;
	readonly externalId: string;
	readonly stage: Stage;
	readonly grade: Named;
	readonly shift: Named | null;
	readonly year: number;
	readonly code: string;
	readonly description: string;
	readonly course: string | null;
	/** Created over the API, not seeded. */
	readonly provisioned: boolean;
}

export interface Course {
	readonly school: School;
	readonly code: string;
	readonly name: string;
	readonly grade: Named;
	readonly stage: Named;
	readonly year: number;
	readonly shift: Named;
	status: string;
	/** What the last status update said beside the status. */
	lastUpdate: Record<string, unknown> | null;
}

/** A person in one school. The same account may have users in several schools. */
export interface User {
	/** Id within the school. */
	readonly id: string;
	readonly accountId: string;
	readonly school: School;
	readonly externalId: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly birthDate: string | null;
	readonly documentType: string | null;
	readonly documentValue: string | null;
	readonly ddi: string | null;
	readonly cellPhone: string | null;
	readonly email: string | null;
	readonly academicEmail: string | null;
	readonly login: string;
	readonly profiles: readonly string[];
	readonly responsibles: readonly User[];
	readonly dependents: User[];
	readonly bonds: Set<Bond>;
	readonly courses: Course[];
	readonly provisioned: boolean;
	readonly createdAt: number;
}

export interface Bond {
	readonly user: User;
	readonly class: SchoolClass;
	readonly profile: string;
	readonly subjects: readonly Named[];
	/** Created over the API, not seeded. */
	readonly provisioned: boolean;
}
