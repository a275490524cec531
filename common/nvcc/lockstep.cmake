# lockstep.cmake - a toolchain file: cmake -DCMAKE_TOOLCHAIN_FILE=.../lockstep.cmake builds a project's CUDA by lockstep-nvcc.
#
# CMake would find out what follows by making nvcc compile for a GPU and by reading what it prints of its link line; lockstep-nvcc, which
# makes no machine code, is described here instead.
get_filename_component(lockstep_here "${CMAKE_CURRENT_LIST_DIR}" ABSOLUTE)
find_program(CMAKE_CUDA_COMPILER lockstep-nvcc
    HINTS "${lockstep_here}/../../build" "${lockstep_here}/../../bin" "${lockstep_here}/../../../bin" REQUIRED)
set(CMAKE_CUDA_COMPILER_FORCED TRUE)
set(CMAKE_CUDA_COMPILER_ID_RUN TRUE)
set(CMAKE_CUDA_COMPILER_ID NVIDIA)
set(CMAKE_CUDA_COMPILER_VERSION 12.0.0)
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CUDA_COMPILE_FEATURES cuda_std_03 cuda_std_11 cuda_std_14 cuda_std_17 cuda_std_20)
set(CMAKE_CUDA_ARCHITECTURES 70 CACHE STRING "has no effect: the device is chosen when a program starts")

# The runtime: beside the compiler, or in lib/ as make install leaves it.
get_filename_component(lockstep_bin "${CMAKE_CUDA_COMPILER}" DIRECTORY)
set(lockstep_lib "${lockstep_bin}")
if(NOT EXISTS "${lockstep_lib}/liblockstep-cudart.so")
    get_filename_component(lockstep_lib "${lockstep_bin}/../lib" ABSOLUTE)
endif()
set(CMAKE_CUDA_COMPILER_PRODUCED_OUTPUT
    "#$ PATH=/usr/bin\n#$ LIBRARIES=-L${lockstep_lib}\nc++ -o a.out a.o -L${lockstep_lib} -llockstep-cudart\n")
set(CMAKE_CUDA_IMPLICIT_LINK_LIBRARIES lockstep-cudart)
set(CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES "${lockstep_lib}")
set(CMAKE_BUILD_RPATH "${lockstep_lib}")
set(CMAKE_INSTALL_RPATH "${lockstep_lib}")
# For host files, which CUDA's own headers reach by find_package(CUDAToolkit) elsewhere.
foreach(lockstep_headers "${lockstep_here}/../cuda/stubs" "${lockstep_here}/cuda/stubs")
    if(EXISTS "${lockstep_headers}/cuda_runtime.h")
        set(CUDAToolkit_INCLUDE_DIR "${lockstep_headers}" CACHE PATH "CUDA's headers")
        set(CUDAToolkit_INCLUDE_DIRECTORIES "${lockstep_headers}" CACHE PATH "CUDA's headers, for CMake 3.31")
        set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES "${lockstep_headers}")
        set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES "${lockstep_headers}")
    endif()
endforeach()

# What find_package(CUDAToolkit) looks for: the runtime is also the library of the driver, NVRTC and cuRAND.
set(CUDA_CUDART "${lockstep_lib}/liblockstep-cudart.so" CACHE FILEPATH "the runtime")
foreach(lockstep_library cudart cuda_driver nvrtc curand)
    set(CUDA_${lockstep_library}_LIBRARY "${CUDA_CUDART}" CACHE FILEPATH "the runtime")
endforeach()
set(CUDA_cublas_LIBRARY "${lockstep_lib}/liblockstep-cublas.so" CACHE FILEPATH "cuBLAS")
set(CUDA_cublasLt_LIBRARY "${CUDA_cublas_LIBRARY}" CACHE FILEPATH "cuBLASLt")
