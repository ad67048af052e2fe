/** Invented words of which the fictional network is made. */
export const firstNames: readonly string[] = (
	'Abelia Benedor Calista Damiro Elvina Fabrion Giselda Horato Ilvana Jovino Kamilda Lorindo ' +
	'Melvira Nadiro Ofelina Palmiro Quirina Rosalvo Silvena Tadeno Ulmira Valdoro Wandela Xaviro ' +
	'Yolena Zelindo Álvara Çelina Érico Núbio'
).split(' ');

export const lastNames: readonly string[] = (
	'Amarante Belvoir Castrello Dornelo Estrivo Fontela Garvão Holmedo Ibarrel Jardino Kestrel ' +
	"Lumero Montavo Norvelle Oliveto Pradello Quintaro Rivelo D'Sorval Travesso"
).split(' ');

export const schoolNames = [
	'Colégio Horizonte Claro',
	'Escola Vale do Saber',
	'Instituto Ponte Alta',
	'Colégio Mar de Dentro',
	'Escola Jardim das Letras',
] as const;

export const streets = [
	'Rua das Acácias',
	'Avenida do Farol',
	'Rua Nova Aurora',
	'Travessa dos Ipês',
	'Rua Sete Lagos',
] as const;
export const neighborhoods = ['Centro', 'Jardim Novo', 'Vila Clara', 'Alto da Serra'] as const;
export const cities = [
	{ city: 'Porto Fictício', state: 'PF' },
	{ city: 'Nova Invenção', state: 'NI' },
	{ city: 'Serra Imaginada', state: 'SI' },
] as const;

export interface StagePlan {
	readonly name: string;
	readonly description: string;
	readonly grades: ReadonlyArray<{ readonly name: string; readonly description: string }>;
}

const years = (from: number, to: number, suffix: string): StagePlan['grades'] =>
	Array.from({ length: to - from + 1 }, (_, index) => ({
		name: `${from + index}${suffix}`,
		description: `${from + index}º ${suffix === 'º ano' ? 'year' : 'grade'}`,
	}));

export const stagePlans: readonly StagePlan[] = [
	{ name: 'EF1', description: 'Elementary school, first years', grades: years(1, 5, 'º ano') },
	{ name: 'EF2', description: 'Elementary school, final years', grades: years(6, 9, 'º ano') },
	{ name: 'EM', description: 'High school', grades: years(1, 3, 'ª série') },
];

/** Which of the stages each school has: not all have the same, so that a stage can be wrong for a school. */
export const stagesOfSchool: ReadonlyArray<readonly number[]> = [[0, 1, 2], [0, 1], [1, 2], [0, 2], [2]];

export const shifts = ['Morning', 'Afternoon', 'Full day'] as const;
export const subjects = ['Mathematics', 'Language', 'Science', 'History', 'Geography', 'Arts'] as const;

export const courses = [
	{ code: 'ROBOTICS', name: 'Robotics' },
	{ code: 'ENGLISH', name: 'English as a second language' },
	{ code: 'CODING', name: 'Coding for beginners' },
	{ code: 'CHESS', name: 'Chess club' },
] as const;

/** Enrollment status values of the seeded courses. The allowed values are not shown: any text is taken later. */
export const seededStatuses = ['ENROLLED', 'PRE_ENROLLED', 'CANCELLED'] as const;

/** `code`, `name`, `type`, `description` of the profiles lookup; the four types are those the document has seen. */
export const profiles = [
	{ code: 1, name: 'Student', type: 'student', description: 'Attends classes' },
	{ code: 2, name: 'Educator', type: 'educator', description: 'Teaches classes' },
	{ code: 3, name: 'Coordinator', type: 'coordinator', description: 'Coordinates classes of a school' },
	{ code: 4, name: 'Responsible', type: 'responsible', description: 'Answers for one or more students' },
] as const;
