/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.system;

import java.io.IOException;
import java.io.InputStream;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Classes of this project that count where methods begin and objects are made. Neither
 * tests nor nodes in memory, which stand for servers, are counted.
 */
final class CountingLoader extends ClassLoader {

	private static final String COUNTER = Type.getInternalName(CostCounter.class);

	private static final String TESTS = "io.quorlock.system.";

	private static final String SERVERS = "io.quorlock.quorum.node.InMemory";

	CountingLoader() {
		super(CountingLoader.class.getClassLoader());
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (!name.startsWith("io.quorlock.") || name.equals(CostCounter.class.getName())) {
			return super.loadClass(name, resolve);
		}
		synchronized (getClassLoadingLock(name)) {
			Class<?> loaded = findLoadedClass(name);
			return (loaded != null) ? loaded : findClass(name);
		}
	}

	@Override
	protected Class<?> findClass(String name) throws ClassNotFoundException {
		try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
			if (in == null) {
				throw new ClassNotFoundException(name);
			}
			ClassReader reader = new ClassReader(in);
			ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
			boolean counted = !name.startsWith(TESTS) && !name.startsWith(SERVERS);
			reader.accept(counted ? new Counting(name, writer) : writer, 0);
			byte[] bytes = writer.toByteArray();
			return defineClass(name, bytes, 0, bytes.length);
		}
		catch (IOException ex) {
			throw new ClassNotFoundException(name, ex);
		}
	}

	private static final class Counting extends ClassVisitor {

		private final String type;

		private Counting(String name, ClassVisitor visitor) {
			super(SpringAsmInfo.ASM_VERSION, visitor);
			this.type = name.substring(name.lastIndexOf('.') + 1);
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
				String @Nullable [] exceptions) {
			return new CountingMethod(super.visitMethod(access, name, descriptor, signature, exceptions),
					this.type + "." + name);
		}

	}

	private static final class CountingMethod extends MethodVisitor {

		private final String method;

		private CountingMethod(MethodVisitor visitor, String method) {
			super(SpringAsmInfo.ASM_VERSION, visitor);
			this.method = method;
		}

		@Override
		public void visitCode() {
			super.visitCode();
			count("entered");
		}

		private void count(String what) {
			super.visitLdcInsn(this.method);
			super.visitMethodInsn(Opcodes.INVOKESTATIC, COUNTER, what, "(Ljava/lang/String;)V", false);
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			super.visitTypeInsn(opcode, type);
			// Behind it, since the frames of the method refer to where it stands.
			if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
				count("made");
			}
		}

		@Override
		public void visitIntInsn(int opcode, int operand) {
			if (opcode == Opcodes.NEWARRAY) {
				count("made");
			}
			super.visitIntInsn(opcode, operand);
		}

		/** A lambda that captures something, or a concatenation. */
		@Override
		public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
			if (Type.getArgumentTypes(descriptor).length > 0) {
				count("made");
			}
			super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
		}

	}

}
